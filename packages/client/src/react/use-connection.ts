import { useSyncExternalStore } from 'react';
import type { Connection } from '../connection.ts';
import { useWatches } from './watches.ts';

/** Whether the page shows the present; renders anew only when that changes. */
export function useConnection(): Connection {
  const { activity } = useWatches();
  return useSyncExternalStore(
    activity.subscribe,
    () => activity.getSnapshot().connection,
    () => activity.getServerSnapshot().connection,
  );
}
