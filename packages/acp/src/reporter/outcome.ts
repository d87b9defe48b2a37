const CAUSE_LIMIT = 500;
const STOP_REASONS = ['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled'] as const;

/** A stop reason of ACP. */
export type StopReason = (typeof STOP_REASONS)[number];

/** How a turn came out: with the agent's own stop reason, or with an error. */
export type TurnOutcome = { readonly stopReason: string } | { readonly error: unknown };

/** What `idle` says of it: an ACP stop reason; the cause apart where ACP has none for it (S124). */
export interface TurnEnd {
  readonly stopReason: StopReason;
  readonly cause?: string;
}

/** Maps the outcome of a turn to a stop reason of ACP: an error or an unknown reason is `end_turn` with its cause. */
export function endOf(outcome: TurnOutcome): TurnEnd {
  if ('error' in outcome) return { stopReason: 'end_turn', cause: causeOf(outcome.error) };
  const known = STOP_REASONS.find((reason) => reason === outcome.stopReason);
  return known === undefined ? { stopReason: 'end_turn', cause: causeOf(outcome.stopReason) } : { stopReason: known };
}

function causeOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.slice(0, CAUSE_LIMIT) || 'unknown';
}
