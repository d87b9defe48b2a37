import type { Session, Task, TaskState } from '@vigil/client';
import { type StatusReading, statusOf } from '@vigil/ui';

export const TASK_STATES = ['backlog', 'in_progress', 'review', 'done'] as const satisfies readonly TaskState[];

export interface TaskRow {
  readonly task: Task;
  readonly status: StatusReading;
}

export type Columns = Readonly<Record<TaskState, readonly TaskRow[]>>;

const NONE: readonly Session[] = [];

export function byTask(sessions: ReadonlyMap<string, Session>): ReadonlyMap<string, readonly Session[]> {
  const grouped = new Map<string, Session[]>();
  for (const session of sessions.values()) {
    const known = grouped.get(session.taskId);
    if (known) known.push(session);
    else grouped.set(session.taskId, [session]);
  }
  return grouped;
}

/** A task's sessions, oldest first. */
export function sessionsOf(taskId: string, sessions: ReadonlyMap<string, Session>): readonly Session[] {
  return [...sessions.values()]
    .filter((session) => session.taskId === taskId)
    .sort((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id));
}

function compare(a: TaskRow, b: TaskRow): number {
  return (
    a.task.position - b.task.position ||
    a.task.createdAt.localeCompare(b.task.createdAt) ||
    a.task.id.localeCompare(b.task.id)
  );
}

export function columnsOf(tasks: ReadonlyMap<string, Task>, sessions: ReadonlyMap<string, Session>): Columns {
  const grouped = byTask(sessions);
  const columns: Record<TaskState, TaskRow[]> = { backlog: [], in_progress: [], review: [], done: [] };
  for (const task of tasks.values()) {
    columns[task.state].push({ task, status: statusOf(task, grouped.get(task.id) ?? NONE) });
  }
  for (const state of TASK_STATES) columns[state].sort(compare);
  return columns;
}

/** A position between two neighbours. */
export function positionBetween(before: number | undefined, after: number | undefined): number {
  if (before === undefined) return after === undefined ? 1 : after - 1;
  return after === undefined ? before + 1 : (before + after) / 2;
}

/** The position for index `at` of a column that does not hold the task itself. */
export function positionAt(column: readonly TaskRow[], at: number): number {
  return positionBetween(column[at - 1]?.task.position, column[at]?.task.position);
}
