import type { ExecutionRow, PromptRow, SessionRow } from '@vigil/db';
import { accountLater } from './account.ts';
import type { SessionEntry } from './entries.ts';
import { endLeftovers as endByProc } from './leftover.ts';
import { turnInterrupted } from './notices.ts';
import { DELIVERY_UNKNOWN } from './prompt-queue.ts';
import { INTERRUPTED_STRICT, isStrict, promptOf } from './prompt-row.ts';
import { rest } from './rest.ts';
import type { Runtime } from './runtime.ts';
import { loadSession } from './sessions.ts';
import { loadTask } from './tasks.ts';
import { closeLeftTools } from './transcribe.ts';

const LIVE: ReadonlySet<string> = new Set(['starting', 'running', 'waiting_for_input']);
const INTERRUPTED = 'restart';

/**
 * Takes over what an earlier life left (S141), before the first mutation: its agents are ended, no live reading
 * survives, and what was reserved and not accepted waits again.
 */
export async function boot(runtime: Runtime): Promise<void> {
  const { database } = runtime.deps;
  const leftovers = await database.executions.open();
  const unaccounted = await endAll(runtime, leftovers);
  await database.requests.resolveOpen({}, { outcome: 'interrupted' });
  // What may have been done already waits for a person (S56).
  const restored = await database.prompts.restoreReserved(DELIVERY_UNKNOWN);
  const [board, archived, sessions] = await Promise.all([
    database.loadBoard(),
    database.tasks.list({ archived: true }),
    database.sessions.list(),
  ]);
  const byTask = new Map<string, SessionRow[]>();
  for (const session of sessions) byTask.set(session.taskId, [...(byTask.get(session.taskId) ?? []), session]);
  for (const task of [...board.tasks, ...archived]) {
    loadTask(
      runtime,
      task,
      (byTask.get(task.id) ?? []).map((session) => session.id),
    );
  }
  for (const session of sessions) await adopt(runtime, session, unaccounted.has(session.id));
  const unkept = [...restored, ...board.prompts].filter(isStrict).map((row) => row.id);
  for (const id of new Set(unkept)) await database.prompts.settle(id, INTERRUPTED_STRICT);
  for (const row of board.prompts) if (!isStrict(row)) queue(runtime, row);
  for (const task of archived) leaveBacklogs(runtime, task.id);
  settleSums(runtime);
  for (const row of leftovers) if (unaccounted.has(row.sessionId)) accountLater(runtime, row);
  runtime.feed.startAt(runtime.board.tracker.revision);
}

/** Ends agents of an earlier life; answers the sessions of those that could not be ended. */
async function endAll(runtime: Runtime, leftovers: readonly ExecutionRow[]): Promise<ReadonlySet<string>> {
  const { database, log, endLeftovers = endByProc } = runtime.deps;
  const left = await endLeftovers(leftovers, log);
  const gone = leftovers.filter((row) => !left.has(row.id));
  const how = { cause: 'stopped', detail: 'The server was restarted.' };
  await Promise.all(gone.map((row) => database.executions.end(row.id, how)));
  return new Set(leftovers.filter((row) => left.has(row.id)).map((row) => row.sessionId));
}

/** A session that was live is idle now; a turn that was open was interrupted. */
async function adopt(runtime: Runtime, row: SessionRow, unknown: boolean): Promise<void> {
  if (!LIVE.has(row.state)) {
    loadSession(runtime, row, { created: false, unknown });
    return;
  }
  const stopReason = row.state === 'waiting_for_input' ? row.stopReason : 'interrupted';
  const { sessions } = runtime.deps.database;
  const change = { from: [row.state], to: 'idle', cause: INTERRUPTED, patch: { stopReason } } as const;
  const answer = await sessions.transition(row.id, change);
  const adopted = answer.applied ? answer.session : { ...row, state: 'idle' as const, executionId: null, stopReason };
  const entry = loadSession(runtime, adopted, { created: false, unknown });
  await closeTranscript(runtime, entry, row.state === 'running');
}

/** What was open in the transcript tells its end, as when an execution ends under our eyes. */
async function closeTranscript(runtime: Runtime, entry: SessionEntry, interrupted: boolean): Promise<void> {
  const { log, now } = runtime.deps;
  await entry.transcript.ready();
  closeLeftTools(entry, now());
  if (interrupted) turnInterrupted(entry);
  rest(runtime, entry).catch((error: unknown) => log.error({ err: error }, 'could not write the end of a turn'));
}

function queue(runtime: Runtime, row: PromptRow): void {
  runtime.board.sessions.get(row.sessionId)?.queue.add(promptOf(row));
}

/** The backlog of an archived task is read when it comes back. */
function leaveBacklogs(runtime: Runtime, taskId: string): void {
  for (const entry of runtime.board.sessionsOf(runtime.board.task(taskId))) entry.queue.isRead = false;
}

/** Recomposes what was loaded in parts, before anyone watches. */
function settleSums(runtime: Runtime): void {
  const { board } = runtime;
  for (const entry of board.sessions.values()) {
    board.reload(entry);
    if (entry.queue.length > 0) runtime.drainSoon(entry);
  }
  for (const task of board.tasks.values()) board.touchTask(task);
}
