import type { VigilClient } from './client.ts';
import { acceptSessions, continuesSession, EMPTY_SESSION, prependMessages, type SessionView } from './session-view.ts';
import type { SessionStreamEvent } from './types.ts';
import { FoldedWatch, type Watch } from './watch.ts';

export interface WatchSessionOptions {
  readonly sessionId: string;
  /** Hears every event as it came, before the view is told. */
  readonly onEvent?: ((event: SessionStreamEvent) => void) | undefined;
}

export interface SessionWatch extends Watch<SessionView> {
  /** Reads the page before the oldest message held. False when there is none. */
  loadOlder(): Promise<boolean>;
}

/** Follows one session: its state, transcript and queue. */
export function watchSession(client: VigilClient, options: WatchSessionOptions): SessionWatch {
  const { sessionId } = options;
  const watch = new FoldedWatch<SessionView, SessionStreamEvent>(
    {
      empty: EMPTY_SESSION,
      accept: acceptSessions,
      continues: continuesSession,
      isBroken: (view) => view.gap,
      open: (lastEventId, handlers) => client.api.session.watch.subscribe({ sessionId, lastEventId }, handlers),
    },
    options.onEvent,
  );
  return Object.assign(watch, { loadOlder: () => loadOlder({ client, watch, sessionId }) });
}

interface Paging {
  readonly client: VigilClient;
  readonly watch: FoldedWatch<SessionView, SessionStreamEvent>;
  readonly sessionId: string;
}

async function loadOlder({ client, watch, sessionId }: Paging): Promise<boolean> {
  const before = watch.getSnapshot().view.messages[0]?.seq;
  if (before === undefined) return false;
  const page = await client.api.session.messages.query({ sessionId, before });
  watch.update((view) => prependMessages(view, page.messages));
  return page.nextBefore !== null;
}
