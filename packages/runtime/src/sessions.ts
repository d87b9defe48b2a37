import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { SessionRow } from '@vigil/db';
import { Outbox } from '@vigil/liveness';
import { composeSession, NOTHING_SAID, type SessionEntry, type SessionMark } from './entries.ts';
import { VigilError } from './errors.ts';
import { Lane } from './lane.ts';
import { messageOf } from './message-row.ts';
import { PromptQueue } from './prompt-queue.ts';
import type { Runtime } from './runtime.ts';
import { messageKey } from './session-stream.ts';
import { quiesce, stayStopped, stopFailed } from './teardown.ts';
import { Transcript } from './transcript.ts';
import type { Session } from './types.ts';
import { checkSessionGone, undoSession } from './unanswered.ts';

/** Puts a session on the board and into the core, which publishes it when it was made now. */
export function loadSession(
  runtime: Runtime,
  row: SessionRow,
  how: { created: boolean; unknown: boolean },
): SessionEntry {
  const { board } = runtime;
  const entry = newEntry(runtime, row);
  if (how.created) entry.transcript.startEmpty();
  board.sessions.set(entry.id, entry);
  board.tasks.get(entry.taskId)?.sessionIds.add(entry.id);
  board.tracker.apply({
    type: 'session.loaded',
    sessionId: row.id,
    at: runtime.deps.now(),
    taskId: row.taskId,
    rules: runtime.features.rulesFor(row.provider),
    state: row.state,
    stopReason: row.stopReason,
    error: row.error,
    ...how,
  });
  const view = board.tracker.view(entry.id);
  if (view !== undefined) entry.shown = composeSession(entry, view);
  return entry;
}

function newEntry(runtime: Runtime, row: SessionRow): SessionEntry {
  const { board, records } = runtime;
  const audience = new Outbox<SessionMark>();
  const { messages } = runtime.deps.database;
  const transcript = new Transcript({
    load: async (limit) => (await messages.page(row.id, { limit })).messages.map(messageOf),
    loadBefore: async (before, limit) => (await messages.page(row.id, { before, limit })).messages.map(messageOf),
    store: (message) => records.message(row.id, message),
    changed: (messageId, revision) => audience.push(messageKey(messageId), { revision }),
    tick: () => board.tracker.touch(),
    now: runtime.deps.now,
  });
  const { id, taskId, agentId, provider, cwd, createdAt, title, updatedAt, agentSessionId } = row;
  return {
    ...{ id, taskId, agentId, provider, cwd, createdAt, title, updatedAt, agentSessionId },
    queue: new PromptQueue(row.autoRun),
    requests: new Map(),
    transcript,
    lane: new Lane(),
    edits: new Lane(),
    turn: null,
    heldNotices: null,
    said: NOTHING_SAID,
    turnStartedAt: null,
    cancelTimer: null,
    leaving: false,
    audience,
    revision: 0,
    queueRevision: 0,
    shown: unread(row),
  };
}

/** The reading of a session before the core knows it. */
function unread(row: SessionRow): Session {
  return {
    ...{ id: row.id, taskId: row.taskId, agentId: row.agentId, provider: row.provider, title: row.title, cwd: row.cwd },
    ...{ state: row.state, executionId: null, policy: 'coarse', foregroundActivity: null, activeSubagentCount: 0 },
    ...{ activityRevision: 0, liveness: 'unknown', reportsBackground: null, mayWake: false, awaitingFollowUp: false },
    ...NOTHING_SAID,
    ...{
      inputMode: 'queue',
      inputReason: null,
      autoRun: row.autoRun,
      queuedPromptCount: 0,
      cancellationPending: false,
    },
    ...{ generation: null, turnStartedAt: null, pendingRequests: [], workloads: [] },
    ...{ stopReason: row.stopReason, error: row.error, createdAt: row.createdAt, updatedAt: row.updatedAt },
  };
}

/** Refused at once: an agent that starts in no folder fails with an error that names its command instead. */
async function folderAt(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) return path;
  const got = found === null ? 'there is none' : 'it is a file';
  throw new VigilError('bad_input', `Expected a folder at ${path}, and ${got}. Make it, or choose another one.`);
}

/** Makes a session; its agent is started by the first prompt. */
export async function createSession(
  runtime: Runtime,
  input: { taskId: string; agentId: string; cwd?: string | undefined; title?: string | undefined },
): Promise<Session> {
  const task = runtime.board.task(input.taskId);
  const answer = runtime.deps.agents.launch(input.agentId);
  if (answer.launch === null) {
    throw new VigilError(
      'bad_input',
      `Agent ${input.agentId} cannot be started: ${answer.reason}. Choose one that agent.list offers.`,
    );
  }
  const now = new Date(runtime.deps.now()).toISOString();
  const { defaultCwd } = runtime.deps.config;
  const cwd = input.cwd === undefined ? defaultCwd : await folderAt(resolve(defaultCwd, input.cwd));
  const row: SessionRow = {
    ...{ id: randomUUID(), taskId: task.id, agentId: input.agentId, provider: answer.launch.provider, cwd },
    title: input.title?.trim() || `Session ${task.sessionIds.size + 1}`,
    ...{ state: 'created', executionId: null, stopReason: null, error: null, autoRun: true, agentSessionId: null },
    ...{ createdAt: now, updatedAt: now },
  };
  // Under the task lane, so that a task is not deleted between the check and the row.
  return runtime.taskLane.run(async () => {
    runtime.board.task(task.id);
    try {
      await runtime.records.addSession(row);
    } catch (error) {
      undoSession(runtime, row.id, error);
      throw error;
    }
    const entry = loadSession(runtime, row, { created: true, unknown: false });
    runtime.board.touchTask(task);
    return entry.shown;
  });
}

/** Quiesces it first; when the stop fails nothing is lost (S114). */
export async function deleteSession(runtime: Runtime, sessionId: string): Promise<{ outcome: 'deleted' }> {
  return remove(runtime, sessionId, (entry, error) => {
    checkSessionGone(runtime, entry, { error, again: () => remove(runtime, sessionId, () => undefined) });
  });
}

async function remove(
  runtime: Runtime,
  sessionId: string,
  unanswered: (entry: SessionEntry, error: unknown) => void,
): Promise<{ outcome: 'deleted' }> {
  const entry = runtime.board.session(sessionId);
  if (entry.leaving) throw stopFailed(`Session ${sessionId} is being deleted already`, 'another request is at it');
  entry.leaving = true;
  try {
    await quiesce(runtime, entry);
    await runtime.records.deleteSession(entry.id).catch((error: unknown) => {
      unanswered(entry, error);
      throw error;
    });
  } catch (error) {
    stayStopped(runtime, entry);
    throw error;
  }
  runtime.board.tracker.apply({ type: 'session.removed', sessionId: entry.id, at: runtime.deps.now() });
  runtime.serving.delete(entry.id);
  return { outcome: 'deleted' };
}
