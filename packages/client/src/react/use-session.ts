import { useCallback, useMemo, useState, useSyncExternalStore } from 'react';
import type { Connection } from '../connection.ts';
import type { StreamError } from '../follow.ts';
import type { Message, Queue, Session } from '../types.ts';
import { useWatches } from './watches.ts';

export interface SessionReading {
  /** Null until the first snapshot is there. */
  readonly session: Session | null;
  /** In order of `seq`. */
  readonly messages: readonly Message[];
  readonly queue: Queue | null;
  readonly status: Connection['status'];
  readonly since: string | null;
  /** Set when the server refuses the stream, such as `NOT_FOUND` for a session that is not there. */
  readonly error: StreamError | null;
  /** False once the oldest message is known to be loaded. */
  readonly hasOlder: boolean;
  loadOlder(): Promise<void>;
}

/** One session with its transcript and queue, live. */
export function useSession(sessionId: string): SessionReading {
  const shared = useWatches().session(sessionId);
  const { view, connection, error } = useSyncExternalStore(
    shared.subscribe,
    shared.getSnapshot,
    shared.getServerSnapshot,
  );
  const [complete, setComplete] = useState<string | null>(null);
  const loadOlder = useCallback(async () => {
    const more = (await shared.watch?.loadOlder()) ?? true;
    if (!more) setComplete(sessionId);
  }, [shared, sessionId]);
  const hasOlder = complete !== sessionId && (view.messages[0]?.seq ?? 0) > 1;
  return useMemo(() => {
    const { session, messages, queue } = view;
    const { status, since } = connection;
    return { session, messages, queue, status, since, error, hasOlder, loadOlder };
  }, [view, connection, error, hasOlder, loadOlder]);
}
