import type { Task, TaskState } from '@vigil/client';
import { statusOf } from '@vigil/ui';
import { describe, expect, it } from 'vitest';
import type { Columns, TaskRow } from '../lib/task-order.ts';
import { arrange, columnId, placeDropped, placeOver, positionOf } from './arrangement.ts';

function row(id: string, state: TaskState, position: number): TaskRow {
  const task: Task = {
    id,
    title: id,
    description: '',
    state,
    position,
    parentId: null,
    dependsOn: [],
    archivedAt: null,
    pendingPermission: false,
    pendingClarification: false,
    queuedPromptCount: 0,
    sessionIds: [],
    createdAt: '',
    updatedAt: '',
    foregroundActivity: null,
    activeSubagentCount: 0,
    activityRevision: 0,
    liveness: 'live',
  };
  return { task, status: statusOf(task) };
}

const columns: Columns = {
  backlog: [row('a', 'backlog', 1), row('b', 'backlog', 2), row('c', 'backlog', 3)],
  in_progress: [row('x', 'in_progress', 10), row('y', 'in_progress', 20)],
  review: [],
  done: [],
};

const idsOf = (rows: readonly TaskRow[]) => rows.map(({ task }) => task.id).join('');

/** Drops `id` over `over` as the board does: across columns first while it is dragged, then the drop. */
function drop(id: string, over: string) {
  const crossing = columns.backlog.some(({ task }) => task.id === over) ? null : placeOver(columns, id, over);
  const shown = arrange(columns, crossing);
  const place = placeDropped(shown, id, crossing ? id : over);
  if (place === null) throw new Error('no place');
  return { shown: arrange(columns, place), position: positionOf(columns, place) };
}

describe('the board while a task is dragged', () => {
  it.each([
    ['ab', 'bac', 2.5],
    ['ac', 'bca', 4],
    ['ca', 'cab', 0],
    ['cb', 'acb', 1.5],
  ])('%s: the first over the second, in their own column, gives %s at %d', (pair, order, position) => {
    const { shown, position: sent } = drop(pair.charAt(0), pair.charAt(1));
    expect(idsOf(shown.backlog)).toBe(order);
    expect(sent).toBe(position);
  });

  it.each([
    ['x', 'axy', 9],
    ['y', 'xay', 15],
    [columnId('in_progress'), 'xya', 21],
  ])('a over %s of another column gives %s at %d', (over, order, position) => {
    const { shown, position: sent } = drop('a', over);
    expect(idsOf(shown.in_progress)).toBe(order);
    expect(idsOf(shown.backlog)).toBe('bc');
    expect(sent).toBe(position);
  });

  it('an empty column takes it', () => {
    const { shown, position } = drop('a', columnId('review'));
    expect(idsOf(shown.review)).toBe('a');
    expect(position).toBe(1);
  });

  it('a task that has gone leaves the columns as they are', () => {
    expect(arrange(columns, { taskId: 'gone', state: 'done', beforeId: null })).toBe(columns);
  });
});
