import { giveBack } from './claim.ts';
import { parkBacklog } from './deliver.ts';
import type { SessionEntry } from './entries.ts';
import type { Execution } from './execution.ts';
import { cancelRequests } from './requests.ts';
import type { Runtime } from './runtime.ts';
import { dropWakeUps } from './wake-ups.ts';

const CANCEL_AFTER_MS = 10_000;

/** Cancels the turn at work, or only the one of this generation; it settles whatever the provider answers (S131). */
export function cancel(
  runtime: Runtime,
  input: { sessionId: string; generation?: number | undefined },
): { outcome: 'cancelling' | 'nothing_to_cancel' } {
  const entry = runtime.board.session(input.sessionId);
  const { generation } = entry.shown;
  const execution = runtime.serving.get(entry.id);
  if (generation === null || execution === undefined) return { outcome: 'nothing_to_cancel' };
  if (input.generation !== undefined && input.generation !== generation) return { outcome: 'nothing_to_cancel' };
  stopBacklog(runtime, entry);
  cancelTurn(runtime, execution, generation);
  return { outcome: 'cancelling' };
}

/** Cancels this turn of an execution that serves; what waits behind it is left as it is. */
export function cancelTurn(runtime: Runtime, execution: Execution, generation: number): void {
  const { entry } = execution;
  const { tracker } = runtime.board;
  const again = entry.shown.cancellationPending;
  tracker.apply({ type: 'cancel.requested', sessionId: entry.id, at: runtime.deps.now(), generation });
  const written = execution.dispatched === generation || !tracker.isCurrent(entry.id, generation);
  if (!written) giveBack(runtime, entry, generation);
  else askAgent(runtime, execution, { generation, again });
}

/**
 * The session is stopped: its backlog is parked, also what is being stored or changed (S82), and its wake-ups are dropped
 * (S61).
 */
export function stopBacklog(runtime: Runtime, entry: SessionEntry): void {
  const { queue } = entry;
  const dropped = dropWakeUps(runtime, entry);
  queue.urgent = null;
  if (queue.hasBacklog) parkBacklog(runtime, entry);
  if (dropped || queue.hasBacklog) runtime.board.touchQueue(entry);
}

function askAgent(runtime: Runtime, execution: Execution, turn: { generation: number; again: boolean }): void {
  const { entry } = execution;
  cancelRequests(runtime, execution);
  execution.connection?.cancel();
  if (turn.again) return;
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
