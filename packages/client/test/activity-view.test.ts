import { describe, expect, test } from 'vitest';
import {
  type ActivityView,
  acceptActivities,
  acceptActivity,
  continuesActivity,
  EMPTY_ACTIVITY,
} from '../src/activity-view.ts';
import type { ActivityEvent, Session, Task } from '../src/types.ts';

const task = (id: string, fields: Partial<Task> = {}) => ({ id, title: id, archivedAt: null, ...fields }) as Task;
const session = (id: string, fields: Partial<Session> = {}) =>
  ({ id, taskId: 'a', state: 'idle', ...fields }) as Session;

function snapshot(revision: number, tasks: Task[], sessions: Session[] = []): ActivityEvent {
  return { type: 'snapshot', epoch: 'e', revision, tasks, sessions };
}

function taskUpdated(revision: number, value: Task): ActivityEvent {
  return { type: 'task.updated', revision, taskId: value.id, task: value };
}

const tupleOf = ({ taskId, id: sessionId, state }: Session) =>
  ({ taskId, sessionId, state, policy: 'coarse', foregroundActivity: null, activeSubagentCount: 0 }) as const;

function sessionUpdated(revision: number, value: Session): ActivityEvent {
  return { type: 'session.updated', revision, ...tupleOf(value), session: value };
}

function sessionDeleted(revision: number, value: Session): ActivityEvent {
  return { type: 'session.deleted', revision, ...tupleOf(value) };
}

const from = (...events: ActivityEvent[]): ActivityView => acceptActivities(EMPTY_ACTIVITY, events);

describe('the fold of activity', () => {
  test('[W5] a snapshot replaces everything: what it lacks does not exist', () => {
    const view = from(snapshot(5, [task('a'), task('b')], [session('s')]), snapshot(9, [task('b')]));
    expect([...view.tasks.keys()]).toEqual(['b']);
    expect(view.sessions.size).toBe(0);
    expect(view.revision).toBe(9);
  });

  test('[S101] hard case 19: what is not newer is dropped, and the view stays the same object', () => {
    const view = from(snapshot(5, [task('a', { title: 'now' })]), taskUpdated(8, task('a', { title: 'newer' })));
    for (const revision of [3, 5, 7, 8]) {
      expect(acceptActivity(view, taskUpdated(revision, task('a', { title: 'old' })))).toBe(view);
    }
    expect(acceptActivity(view, taskUpdated(9, task('a', { title: 'last' }))).tasks.get('a')?.title).toBe('last');
  });

  test('[S103] a conflated change of one key does not hide an older one of another', () => {
    const view = from(
      snapshot(1, [task('a'), task('b')]),
      taskUpdated(9, task('a')),
      taskUpdated(4, task('b', { title: 'x' })),
    );
    expect(view.tasks.get('b')?.title).toBe('x');
    expect(view.revision).toBe(9);
  });

  test('[S101] a late change never brings back what was deleted', () => {
    const view = from(
      snapshot(1, [task('a')], [session('s')]),
      sessionDeleted(4, session('s')),
      sessionUpdated(3, session('s')),
    );
    expect(view.sessions.size).toBe(0);
  });

  test('[S105] a deleted task takes its sessions along', () => {
    const other = session('t', { taskId: 'b' });
    const view = from(snapshot(1, [task('a'), task('b')], [session('s'), other]), {
      type: 'task.deleted',
      revision: 2,
      taskId: 'a',
    });
    expect([...view.sessions.keys()]).toEqual(['t']);
  });

  test('[S101] hard case 19: a snapshot that was long on its way does not take the view back; one of another boot does', () => {
    const view = from(snapshot(5, [task('a')]), taskUpdated(8, task('a', { title: 'newer' })));
    expect(acceptActivity(view, snapshot(7, []))).toBe(view);
    const next: ActivityEvent = { type: 'snapshot', epoch: 'next', revision: 1, tasks: [], sessions: [] };
    expect(acceptActivity(view, next).tasks.size).toBe(0);
  });

  test('[contract] hard case 19: a missing field is unchanged, null is none', () => {
    const before = session('s', { title: 'kept', error: 'bad', foregroundActivity: 'generating' });
    const { title: _, ...partial } = session('s', { error: null, foregroundActivity: null });
    const view = from(snapshot(1, [task('a')], [before]), sessionUpdated(2, partial as Session));
    expect(view.sessions.get('s')).toMatchObject({ title: 'kept', error: null, foregroundActivity: null });
  });

  test('[contract] an archived task leaves the view, as it is in no snapshot', () => {
    const view = from(snapshot(1, [task('a')]), taskUpdated(2, task('a', { archivedAt: '2026-01-01T00:00:00.000Z' })));
    expect(view.tasks.size).toBe(0);
  });

  test('[W5] a stream of another epoch does not continue the view', () => {
    const view = from(snapshot(5, []));
    expect(continuesActivity(view, { type: 'resumed', epoch: 'e', revision: 5 })).toBe(true);
    expect(continuesActivity(view, { type: 'resumed', epoch: 'other', revision: 5 })).toBe(false);
    expect(continuesActivity(EMPTY_ACTIVITY, taskUpdated(1, task('a')))).toBe(false);
    expect(continuesActivity(EMPTY_ACTIVITY, snapshot(1, []))).toBe(true);
  });

  test('[W5] an earlier view is never written to', () => {
    const before = from(snapshot(1, [task('a')]));
    acceptActivities(before, [taskUpdated(2, task('b')), { type: 'task.deleted', revision: 3, taskId: 'a' }]);
    expect([...before.tasks.keys()]).toEqual(['a']);
  });
});
