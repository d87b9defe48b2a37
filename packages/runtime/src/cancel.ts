import { giveBack } from './claim.ts';
import type { SessionEntry } from './entries.ts';
import type { Execution } from './execution.ts';
import { stopBacklog } from './put-back.ts';
import { cancelRequests } from './requests.ts';
import type { Runtime } from './runtime.ts';

const CANCEL_AFTER_MS = 10_000;

/** Cancels the turn at work, or only the one of this generation; it settles whatever the provider answers (S131). */
export function cancel(
  runtime: Runtime,
  input: { sessionId: string; generation?: number | undefined },
): { outcome: 'cancelling' | 'nothing_to_cancel' } {
  const entry = runtime.board.session(input.sessionId);
  const { generation } = entry.shown;
  if (generation === null || !runtime.serving.has(entry.id)) return { outcome: 'nothing_to_cancel' };
  if (input.generation !== undefined && input.generation !== generation) return { outcome: 'nothing_to_cancel' };
  cancelTurn(runtime, entry, () => stopBacklog(runtime, entry));
  return { outcome: 'cancelling' };
}

/** Cancels the turn at work, if one is; one operation a session. `meanwhile` runs before its end can be told. */
export function cancelTurn(runtime: Runtime, entry: SessionEntry, meanwhile: () => void = () => undefined): void {
  const { generation } = entry.shown;
  const execution = runtime.serving.get(entry.id);
  if (generation === null || execution === undefined) return;
  const again = entry.shown.cancellationPending;
  runtime.board.tracker.apply({ type: 'cancel.requested', sessionId: entry.id, at: runtime.deps.now(), generation });
  meanwhile();
  const written = execution.dispatched === generation || !runtime.board.tracker.isCurrent(entry.id, generation);
  if (!written) giveBack(runtime, entry, generation);
  else askAgent(runtime, execution, { generation, again });
}

function askAgent(runtime: Runtime, execution: Execution, turn: { generation: number; again: boolean }): void {
  const { entry } = execution;
  // What was asked since the first cancel is answered by a repeated one; the agent hears of the cancel once.
  cancelRequests(runtime, execution);
  if (turn.again) return;
  execution.connection?.cancel();
  const timer = setTimeout(
    () => expire(runtime, execution, turn.generation),
    runtime.deps.config.cancelAfterMs ?? CANCEL_AFTER_MS,
  );
  timer.unref();
  entry.cancelTimer = timer;
}

/** The provider never answered: the turn is over here, and its receipt is not waited for any more. */
function expire(runtime: Runtime, execution: Execution, generation: number): void {
  const { entry } = execution;
  const { tracker } = runtime.board;
  if (execution.facts !== null || entry.shown.generation !== generation || !entry.shown.cancellationPending) return;
  tracker.apply({ type: 'cancel.expired', sessionId: entry.id, at: runtime.deps.now(), generation });
  if (execution.dispatched === generation) execution.abandonReceipt?.();
}
