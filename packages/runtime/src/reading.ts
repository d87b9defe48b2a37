import { inTime } from './promised.ts';
import type { Runtime } from './runtime.ts';
import { SNAPSHOT_MESSAGES } from './session-stream.ts';
import type { Message, Queue, ServerInfo, Session, Task } from './types.ts';

const PAGE = 100;
const LARGEST_PAGE = 500;

interface At {
  epoch: string;
  revision: number;
}

const at = (runtime: Runtime): At => ({ epoch: runtime.epoch, revision: runtime.board.tracker.revision });

/** The boot payload: follow it with `watchActivity` from its revision, without a gap. */
export function listTasks(runtime: Runtime, input: { archived?: boolean | undefined }): At & { tasks: Task[] } {
  const archived = input.archived ?? false;
  const tasks = [...runtime.board.tasks.values()].filter((task) => (task.archivedAt !== null) === archived);
  return { ...at(runtime), tasks: tasks.map((task) => task.shown).sort((a, b) => a.position - b.position) };
}

export function getTask(runtime: Runtime, taskId: string): At & { task: Task; sessions: Session[] } {
  const task = runtime.board.task(taskId);
  return { ...at(runtime), task: task.shown, sessions: runtime.board.sessionsOf(task).map((entry) => entry.shown) };
}

export async function getSession(
  runtime: Runtime,
  sessionId: string,
): Promise<At & { session: Session; messages: Message[]; queue: Queue }> {
  const entry = runtime.board.session(sessionId);
  await inTime(entry.transcript.ready());
  const messages = entry.transcript.last(SNAPSHOT_MESSAGES);
  return { ...at(runtime), session: entry.shown, messages, queue: entry.queue.show() };
}

export function listMessages(
  runtime: Runtime,
  input: { sessionId: string; before?: number | undefined; limit?: number | undefined },
): Promise<{ messages: Message[]; nextBefore: number | null }> {
  const entry = runtime.board.session(input.sessionId);
  return entry.transcript.page(input.before, Math.min(input.limit ?? PAGE, LARGEST_PAGE));
}

export async function serverInfo(runtime: Runtime): Promise<ServerInfo> {
  const { deps, epoch } = runtime;
  const { reason: notSaving } = await ready(runtime);
  const saving = notSaving === null;
  return { version: deps.version, epoch, database: deps.database.kind, cluster: null, saving, notSaving };
}

/** Able to serve: the database answers, and what is kept does not lag behind what is. */
export async function ready(runtime: Runtime): Promise<{ ready: boolean; reason: string | null }> {
  if (runtime.closing) return { ready: false, reason: 'the server stops' };
  const unreachable = await runtime.records.unreachable();
  if (unreachable !== null) return { ready: false, reason: unreachable };
  return { ready: true, reason: runtime.records.trouble };
}
