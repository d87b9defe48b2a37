import type { SessionEntry } from './entries.ts';
import type { Execution } from './execution.ts';
import { closeExecution, endExecution } from './execution-scope.ts';
import { notice } from './notices.ts';
import type { Runtime } from './runtime.ts';
import { timeInWords } from './time-in-words.ts';
import type { Session } from './types.ts';

/**
 * Ends executions that nobody has used for the configured time (S116). Looking and ending are one synchronous step, so
 * that a prompt is either claimed before, and counts as use, or finds the session idle and starts the next execution.
 */
export function watchIdle(runtime: Runtime): () => void {
  const { idleStopAfterMs } = runtime.deps.config;
  if (idleStopAfterMs === undefined) return () => undefined;
  const every = Math.max(10, Math.min(idleStopAfterMs / 4, 30_000));
  const timer = setInterval(() => reap(runtime, idleStopAfterMs), every);
  timer.unref();
  return () => clearInterval(timer);
}

function reap(runtime: Runtime, after: number): void {
  if (runtime.closing) return;
  const now = runtime.deps.now();
  for (const execution of [...runtime.executions.values()]) {
    const unusedFor = now - execution.lastFrameAt;
    if (execution.facts === null && unusedFor >= after && usedBy(execution.entry, execution) === null)
      end(runtime, execution, unusedFor);
  }
}

type Used = Pick<SessionEntry, 'requests'> & {
  readonly shown: Pick<
    Session,
    'state' | 'executionId' | 'inputMode' | 'generation' | 'workloads' | 'awaitingFollowUp' | 'mayWake'
  >;
  readonly queue: Pick<SessionEntry['queue'], 'reserved'>;
};

/** What uses the execution, in words; null when nothing does. A session that may wake by a timer is in use. */
export function usedBy({ shown, requests, queue }: Used, { id }: { readonly id: string }): string | null {
  // Direct input: nothing is claimed, in flight, or being cancelled, and no prompt is at work.
  const free = shown.state === 'waiting_for_input' && shown.inputMode === 'direct' && shown.generation === null;
  if (shown.executionId !== id || !free || queue.reserved !== undefined) return 'a prompt';
  if (requests.size > 0) return 'a pending request';
  if (shown.workloads.length > 0) return 'background work';
  if (shown.awaitingFollowUp) return 'a follow-up that is to come';
  return shown.mayWake ? 'a timer that may wake it' : null;
}

function end(runtime: Runtime, execution: Execution, unusedFor: number): void {
  const { entry } = execution;
  const text = `The agent was stopped after ${timeInWords(unusedFor)} without use. The next prompt starts it again.`;
  notice(entry, { code: 'idle_stopped', level: 'info', text });
  endExecution(runtime, execution, { cause: 'stopped', error: null });
  closeExecution(runtime, execution).catch((err: unknown) => {
    runtime.deps.log.error({ err, executionId: execution.id }, 'an idle agent could not be ended');
  });
}
