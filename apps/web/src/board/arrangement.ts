import type { TaskState } from '@vigil/client';
import { type Columns, positionAt, TASK_STATES, type TaskRow } from '../lib/task-order.ts';

/** Where a task is shown instead of where the server has it: while it is dragged, or until the server agrees. */
export interface Place {
  readonly taskId: string;
  readonly state: TaskState;
  /** The task that it stands before; null at the end. */
  readonly beforeId: string | null;
}

const COLUMN = 'column:';

export const columnId = (state: TaskState) => `${COLUMN}${state}`;

export function rowOf(columns: Columns, taskId: string): TaskRow | undefined {
  for (const state of TASK_STATES) {
    const row = columns[state].find(({ task }) => task.id === taskId);
    if (row) return row;
  }
  return undefined;
}

/** The columns with one task put elsewhere. Live changes to all others show through. */
export function arrange(columns: Columns, place: Place | null): Columns {
  const row = place && rowOf(columns, place.taskId);
  if (!place || !row) return columns;
  const without = (rows: readonly TaskRow[]) => rows.filter((other) => other !== row);
  const target = [...without(columns[place.state])];
  const at = target.findIndex(({ task }) => task.id === place.beforeId);
  target.splice(at < 0 ? target.length : at, 0, row);
  return { ...columns, [row.task.state]: without(columns[row.task.state]), [place.state]: target };
}

/** The column that shows `id`, the id of a column or of a task. */
export function stateOf(columns: Columns, id: string): TaskState | undefined {
  return TASK_STATES.find((state) => id === columnId(state) || columns[state].some(({ task }) => task.id === id));
}

/** The place that `overId` stands for, for a task that is shown in another column. */
export function placeOver(columns: Columns, taskId: string, overId: string): Place | null {
  const state = stateOf(columns, overId);
  return state === undefined ? null : { taskId, state, beforeId: overId === columnId(state) ? null : overId };
}

/** The place after the drop: within its column the task takes the index of the one that it lies over. */
export function placeDropped(columns: Columns, taskId: string, overId: string): Place | null {
  const state = stateOf(columns, overId);
  if (state === undefined) return null;
  const rows = columns[state];
  const from = rows.findIndex(({ task }) => task.id === taskId);
  const over = rows.findIndex(({ task }) => task.id === overId);
  if (from < 0) return placeOver(columns, taskId, overId);
  const others = rows.filter(({ task }) => task.id !== taskId);
  return { taskId, state, beforeId: others[over < 0 ? from : over]?.task.id ?? null };
}

/** The number to send for a place. */
export function positionOf(columns: Columns, { taskId, state, beforeId }: Place): number {
  const others = columns[state].filter(({ task }) => task.id !== taskId);
  const at = others.findIndex(({ task }) => task.id === beforeId);
  return positionAt(others, at < 0 ? others.length : at);
}
