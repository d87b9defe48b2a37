import { createContext, useContext } from 'react';
import { type ActivityView, EMPTY_ACTIVITY } from '../activity-view.ts';
import type { VigilClient } from '../client.ts';
import { connectingNow } from '../connection.ts';
import { EMPTY_SESSION, type SessionView } from '../session-view.ts';
import { watchActivity } from '../watch-activity.ts';
import { type SessionWatch, watchSession } from '../watch-session.ts';
import { SharedWatch } from './shared-watch.ts';

/** Every stream of one page: one for the board, one per session that is looked at. */
export class Watches {
  readonly activity: SharedWatch<ActivityView>;
  readonly #client: VigilClient;
  readonly #sessions = new Map<string, SharedWatch<SessionView, SessionWatch>>();

  constructor(client: VigilClient) {
    this.#client = client;
    const idle = { view: EMPTY_ACTIVITY, connection: connectingNow(), error: null };
    this.activity = new SharedWatch(() => watchActivity(client), idle);
  }

  session(sessionId: string): SharedWatch<SessionView, SessionWatch> {
    const known = this.#sessions.get(sessionId);
    if (known !== undefined) return known;
    const idle = { view: EMPTY_SESSION, connection: connectingNow(), error: null };
    const shared = new SharedWatch<SessionView, SessionWatch>(() => watchSession(this.#client, { sessionId }), idle);
    this.#sessions.set(sessionId, shared);
    return shared;
  }
}

export const WatchesContext = createContext<Watches | null>(null);

/** The page's streams; throws outside of a `VigilProvider`. */
export function useWatches(): Watches {
  const watches = useContext(WatchesContext);
  if (watches === null) throw new Error('A Vigil hook was used outside of <VigilProvider>. Put the provider above it.');
  return watches;
}
