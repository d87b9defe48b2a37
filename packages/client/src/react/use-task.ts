import { useMemo, useSyncExternalStore } from 'react';
import type { Session, Task } from '../types.ts';
import { useWatches } from './watches.ts';

export interface TaskReading {
  /** Null when the board has no such task (yet: see `ready`), or it is archived. */
  readonly task: Task | null;
  /** Oldest first. */
  readonly sessions: readonly Session[];
  readonly ready: boolean;
}

/** One task and its sessions, live; renders anew only when they change. */
export function useTask(taskId: string): TaskReading {
  const { activity } = useWatches();
  const { subscribe, getSnapshot, getServerSnapshot } = activity;
  const read = () => getSnapshot().view;
  const readOnServer = () => getServerSnapshot().view;
  const task = useSyncExternalStore(
    subscribe,
    () => read().tasks.get(taskId) ?? null,
    () => readOnServer().tasks.get(taskId) ?? null,
  );
  const all = useSyncExternalStore(
    subscribe,
    () => read().sessions,
    () => readOnServer().sessions,
  );
  const ready = useSyncExternalStore(
    subscribe,
    () => read().epoch !== null,
    () => readOnServer().epoch !== null,
  );
  const sessions = useMemo(() => sessionsOf(all, taskId), [all, taskId]);
  return useMemo(() => ({ task, sessions, ready }), [task, sessions, ready]);
}

function sessionsOf(all: ReadonlyMap<string, Session>, taskId: string): readonly Session[] {
  const mine = [...all.values()].filter((session) => session.taskId === taskId);
  return mine.sort((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id));
}
