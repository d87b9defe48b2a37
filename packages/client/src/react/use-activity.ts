import { useMemo, useSyncExternalStore } from 'react';
import type { Connection } from '../connection.ts';
import type { StreamError } from '../follow.ts';
import type { Session, Task } from '../types.ts';
import { useWatches } from './watches.ts';

export interface ActivityReading {
  /** Every task that is not archived, by id. */
  readonly tasks: ReadonlyMap<string, Task>;
  readonly sessions: ReadonlyMap<string, Session>;
  readonly status: Connection['status'];
  /** From when on this is not the present, ISO 8601; null while live. */
  readonly since: string | null;
  /** True once the first snapshot is there. */
  readonly ready: boolean;
  readonly error: StreamError | null;
}

/** The whole board, live. */
export function useActivity(): ActivityReading {
  const { activity } = useWatches();
  const { view, connection, error } = useSyncExternalStore(
    activity.subscribe,
    activity.getSnapshot,
    activity.getServerSnapshot,
  );
  return useMemo(() => {
    const { tasks, sessions, epoch } = view;
    return { tasks, sessions, status: connection.status, since: connection.since, ready: epoch !== null, error };
  }, [view, connection, error]);
}
