import { accountFor } from './account.ts';
import { parkBacklog } from './deliver.ts';
import type { SessionEntry } from './entries.ts';
import { VigilError } from './errors.ts';
import type { Execution } from './execution.ts';
import { closeExecution, endExecution } from './execution-scope.ts';
import type { Runtime } from './runtime.ts';
import type { TeardownResult } from './types.ts';

type Cause = 'stopped' | 'completed' | 'cancelled' | 'failed';

/** Ends exactly this execution of this session; of a successor it touches nothing (S112, S113). */
export async function teardown(
  runtime: Runtime,
  input: { sessionId: string; executionId: string; cause?: Cause | undefined },
): Promise<TeardownResult> {
  const entry = runtime.board.session(input.sessionId);
  const execution = runtime.executions.get(input.executionId);
  if (execution === undefined || execution.entry !== entry) return recorded(runtime, entry, input.executionId);
  const first = execution.facts === null;
  if (first) retire(runtime, execution, input.cause ?? 'stopped');
  const result = outcomeOf(runtime, execution, first);
  await stopProcess(runtime, execution);
  return result;
}

function retire(runtime: Runtime, execution: Execution, cause: Cause): void {
  const { entry } = execution;
  if (runtime.serving.get(entry.id) === execution) entry.queue.urgent = null;
  // A prompt that was on its way is not sent again by itself.
  if (entry.queue.reserved !== undefined && runtime.serving.get(entry.id) === execution) parkBacklog(runtime, entry);
  endExecution(runtime, execution, {
    cause,
    error: cause === 'failed' ? 'The session was ended as failed by an operator.' : null,
  });
}

function outcomeOf(runtime: Runtime, execution: Execution, first: boolean): TeardownResult {
  const { entry, facts } = execution;
  const serving = runtime.board.tracker.view(entry.id)?.executionId ?? null;
  const outcome = first ? (serving === null ? 'retired' : 'superseded') : 'already_retired';
  const released = runtime.board.tracker.isReleased(entry.id);
  return { outcome, cause: facts?.cause ?? null, endedAt: facts?.endedAt ?? null, released };
}

/** What the executions table says of one whose process is gone. */
async function recorded(runtime: Runtime, entry: SessionEntry, executionId: string): Promise<TeardownResult> {
  const released = runtime.board.tracker.isReleased(entry.id);
  const facts = await runtime.records.endFacts(entry.id, executionId);
  if (facts === null) return { outcome: 'unknown_execution', cause: null, endedAt: null, released };
  return { outcome: 'already_retired', cause: facts.cause, endedAt: facts.endedAt, released };
}

async function stopProcess(runtime: Runtime, execution: Execution): Promise<void> {
  try {
    await closeExecution(runtime, execution);
  } catch (cause) {
    throw stopFailed(`The agent process of execution ${execution.id} could not be ended`, cause);
  }
}

/** What a stop that did not work answers: nothing is lost, and it may be repeated (S114). */
export function stopFailed(what: string, cause: unknown): VigilError {
  const detail = cause === null ? '' : `: ${cause instanceof Error ? cause.message : String(cause)}`;
  return new VigilError('conflict', `${what}${detail}. Nothing was deleted; try again.`, {
    reason: 'stop_failed',
    cause,
  });
}

/** Ends whatever serves the session and waits until its processes are gone; `stop_failed` otherwise (S114). */
export async function quiesce(runtime: Runtime, entry: SessionEntry): Promise<void> {
  const own = [...runtime.executions.values()].filter((execution) => execution.entry === entry);
  for (const execution of own) if (execution.facts === null) retire(runtime, execution, 'stopped');
  for (const execution of own) await stopProcess(runtime, execution);
  if (!(await accountFor(runtime, entry.id)))
    throw stopFailed(
      `An agent that an earlier life of the server left of session ${entry.id} could not be ended`,
      null,
    );
}

/** A removal was refused: what was stopped for it stays stopped, and its backlog waits for an operator (S114, S81). */
export function stayStopped(runtime: Runtime, entry: SessionEntry): void {
  entry.leaving = false;
  if (entry.queue.length === 0) return;
  parkBacklog(runtime, entry);
  runtime.board.touchQueue(entry);
}
