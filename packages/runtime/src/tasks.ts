import { randomUUID } from 'node:crypto';
import { composeTask, type SessionEntry, type TaskEntry } from './entries.ts';
import { VigilError } from './errors.ts';
import { onceOver, promised } from './promised.ts';
import { INTERRUPTED_STRICT, isStrict, promptOf } from './prompt-row.ts';
import type { Runtime } from './runtime.ts';
import type { TaskFacets } from './task-facets.ts';
import { checkLinks } from './task-graph.ts';
import { lastPosition } from './task-moves.ts';
import { quiesce, stayStopped, stopFailed } from './teardown.ts';
import type { Task, TaskState } from './types.ts';
import { checkTaskGone, undoTask } from './unanswered.ts';

/** Puts a task on the board, with the sessions that will be loaded. */
export function loadTask(runtime: Runtime, facets: TaskFacets, sessionIds: readonly string[]): TaskEntry {
  const { board } = runtime;
  board.tracker.loadTask(facets.id, sessionIds);
  const bare = { ...facets, sessionIds: new Set(sessionIds), permissions: 0, clarifications: 0, queued: 0 };
  const unknown = {
    foregroundActivity: null,
    activeSubagentCount: 0,
    liveness: 'unknown',
    activityRevision: 0,
  } as const;
  const entry: TaskEntry = { ...bare, shown: composeTask(bare, board.tracker.activityOf(facets.id) ?? unknown) };
  board.tasks.set(entry.id, entry);
  return entry;
}

export function createTask(
  runtime: Runtime,
  input: {
    title: string;
    description?: string | undefined;
    parentId?: string | null | undefined;
    dependsOn?: string[] | undefined;
  },
): Promise<Task> {
  return runtime.taskLane.run(async () => {
    const now = new Date(runtime.deps.now()).toISOString();
    const facets: TaskFacets = {
      id: randomUUID(),
      title: checkTitle(input.title),
      description: input.description ?? '',
      state: 'backlog',
      position: lastPosition(runtime, 'backlog') + 1,
      parentId: input.parentId ?? null,
      dependsOn: unique(input.dependsOn ?? []),
      archivedAt: null,
      createdAt: now,
      updatedAt: now,
    };
    checkLinks(runtime.board, { ...facets, id: null });
    try {
      await promised(runtime.deps.database.tasks.create({ ...facets, dependsOn: [...facets.dependsOn] }));
    } catch (error) {
      undoTask(runtime, facets.id, error);
      throw error;
    }
    const entry = loadTask(runtime, facets, []);
    runtime.board.touchTask(entry, 'task.created');
    return entry.shown;
  });
}

export function updateTask(
  runtime: Runtime,
  input: {
    taskId: string;
    title?: string | undefined;
    description?: string | undefined;
    parentId?: string | null | undefined;
    dependsOn?: string[] | undefined;
  },
): Promise<Task> {
  return change(runtime, input.taskId, (entry) => {
    const parentId = input.parentId === undefined ? entry.parentId : input.parentId;
    const dependsOn = input.dependsOn === undefined ? entry.dependsOn : unique(input.dependsOn);
    checkLinks(runtime.board, { id: entry.id, parentId, dependsOn });
    const title = input.title === undefined ? entry.title : checkTitle(input.title);
    return { title, description: input.description ?? entry.description, parentId, dependsOn };
  });
}

export function moveTask(
  runtime: Runtime,
  input: { taskId: string; state: TaskState; position: number },
): Promise<Task> {
  return change(runtime, input.taskId, () => ({ state: input.state, position: input.position }));
}

/** Ends its executions first (W4, S114). */
export async function archiveTask(runtime: Runtime, taskId: string): Promise<{ outcome: 'archived' }> {
  const task = runtime.board.task(taskId);
  await whileStopped(runtime, task, () =>
    change(runtime, taskId, (entry) => ({
      archivedAt: entry.archivedAt ?? new Date(runtime.deps.now()).toISOString(),
    })),
  );
  return { outcome: 'archived' };
}

/** Stops its sessions and holds them stopped until this is done; when it fails they stay stopped (S114). */
async function whileStopped(runtime: Runtime, task: TaskEntry, act: () => Promise<unknown>): Promise<void> {
  const sessions = runtime.board.sessionsOf(task);
  // One that is being deleted already is held by whoever deletes it.
  const held = sessions.filter((session) => !session.leaving);
  for (const session of held) session.leaving = true;
  try {
    for (const session of sessions) await quiesce(runtime, session);
    await act();
  } catch (error) {
    for (const session of held) stayStopped(runtime, session);
    throw error;
  }
  for (const session of held) session.leaving = false;
}

export async function unarchiveTask(runtime: Runtime, taskId: string): Promise<{ outcome: 'unarchived' }> {
  const sessions = runtime.board.sessionsOf(runtime.board.task(taskId));
  for (const session of sessions) await readBacklog(runtime, session);
  await change(runtime, taskId, () => ({ archivedAt: null }));
  for (const session of sessions) {
    // Whoever dropped the task with its sessions gets them back.
    runtime.board.touchQueue(session);
    runtime.drainSoon(session);
  }
  return { outcome: 'unarchived' };
}

/** A boot leaves the backlog of archived tasks in the database. Once it is read, memory has it. */
async function readBacklog(runtime: Runtime, { id, queue }: SessionEntry): Promise<void> {
  if (queue.isRead) return;
  const { prompts } = runtime.deps.database;
  const rows = await prompts.list(id);
  for (const row of rows) if (isStrict(row)) await prompts.settle(row.id, INTERRUPTED_STRICT);
  if (queue.isRead) return;
  queue.isRead = true;
  for (const row of rows) if (!isStrict(row)) queue.add(promptOf(row));
}

/** Stops all its sessions first; when one stop fails nothing is deleted, and a repeat continues (S114). */
export async function deleteTask(runtime: Runtime, taskId: string): Promise<{ outcome: 'deleted' }> {
  return stopAndRemove(runtime, taskId, (task, error) => {
    checkTaskGone(runtime, task, { error, again: () => stopAndRemove(runtime, taskId, () => undefined) });
  });
}

type Unanswered = (task: TaskEntry, error: unknown) => void;

async function stopAndRemove(
  runtime: Runtime,
  taskId: string,
  unanswered: Unanswered,
): Promise<{ outcome: 'deleted' }> {
  const task = runtime.board.task(taskId);
  await whileStopped(runtime, task, () => runtime.taskLane.run(() => remove(runtime, task, unanswered)));
  return { outcome: 'deleted' };
}

async function remove(runtime: Runtime, task: TaskEntry, unanswered: Unanswered): Promise<void> {
  const { board } = runtime;
  if (!board.tasks.has(task.id)) return;
  // A session that was created meanwhile is not deleted unasked.
  const late = board.sessionsOf(task).find((session) => !session.leaving);
  if (late !== undefined)
    throw stopFailed(`Session ${late.id} was created while the task was being deleted`, 'it was not stopped');
  try {
    await promised(runtime.deps.database.tasks.delete(task.id));
  } catch (error) {
    unanswered(task, error);
    throw error;
  }
  for (const session of board.sessionsOf(task)) {
    board.tracker.apply({ type: 'session.removed', sessionId: session.id, at: runtime.deps.now() });
    runtime.serving.delete(session.id);
  }
  board.removeTask(task);
  for (const other of board.tasks.values()) unlink(runtime, other, task.id);
}

/** A task that is gone is nobody's parent and nobody's dependency; the database does the same. */
function unlink(runtime: Runtime, task: TaskEntry, gone: string): void {
  if (task.parentId !== gone && !task.dependsOn.includes(gone)) return;
  if (task.parentId === gone) task.parentId = null;
  task.dependsOn = task.dependsOn.filter((id) => id !== gone);
  runtime.board.touchTask(task);
}

/** Checks, stores and publishes a change, one at a time. */
function change(runtime: Runtime, taskId: string, decide: (entry: TaskEntry) => Partial<TaskFacets>): Promise<Task> {
  return runtime.taskLane.run(async () => {
    const entry = runtime.board.task(taskId);
    const fields = { ...decide(entry), updatedAt: new Date(runtime.deps.now()).toISOString() };
    const { dependsOn = entry.dependsOn } = fields;
    try {
      await promised(runtime.deps.database.tasks.update(entry.id, { ...fields, dependsOn: [...dependsOn] }));
      Object.assign(entry, fields);
    } catch (error) {
      onceOver(error, () => runtime.records.taskChanged(entry));
      throw error;
    }
    // What moved by itself meanwhile leaves the row as it is in memory (S142).
    runtime.records.taskChanged(entry);
    runtime.board.touchTask(entry);
    return entry.shown;
  });
}

const unique = (ids: readonly string[]): string[] => [...new Set(ids)];

function checkTitle(title: string): string {
  const trimmed = title.trim();
  if (trimmed === '') throw new VigilError('bad_input', 'The title is empty. Give the task a title.');
  return trimmed;
}
