'use client';

import type { Connection } from '@vigil/client';
import { trpc, useConnection } from '@vigil/client/react';
import { cn, labels } from '@vigil/ui';
import { formatClock } from '../lib/time.ts';

function wordsOf(connection: Connection): string {
  return connection.status === 'lost'
    ? labels.connection.lost(formatClock(connection.since))
    : labels.connection[connection.status];
}

const DOTS: Record<Connection['status'], string> = {
  live: 'bg-state-done',
  connecting: 'bg-transparent ring-1 ring-state-neutral',
  reconnecting: 'bg-transparent ring-1 ring-state-attention',
  lost: 'bg-state-failed',
};

/** The foot of the sidebar: whether what is shown is the present. */
export function ConnectionStatus() {
  const connection = useConnection();
  return (
    <p data-testid="connection" className="flex min-w-0 items-center gap-2 truncate">
      <span aria-hidden="true" className={cn('size-2 shrink-0 rounded-full', DOTS[connection.status])} />
      <span className="tabular truncate">{wordsOf(connection)}</span>
    </p>
  );
}

/** How often a page asks whether the server is saving, in ms. */
const ASK_EVERY_MS = 5_000;

/** Says it across the page while the stream is broken (W5), or the server is not saving (S142). */
export function ConnectionBanner() {
  const connection = useConnection();
  const broken = connection.status === 'lost' || connection.status === 'reconnecting';
  const { data: server } = trpc.server.info.useQuery(undefined, { refetchInterval: ASK_EVERY_MS });
  const notSaving = broken ? null : (server?.notSaving ?? null);
  return (
    <div role="status" aria-live="polite">
      {broken && (
        <p className="border-line border-b bg-sunken px-4 py-1 text-sm">
          <strong className={connection.status === 'lost' ? 'text-state-failed' : 'text-state-attention'}>
            {wordsOf(connection)}
          </strong>{' '}
          <span className="text-ink-soft">{labels.connection.stale}</span>
        </p>
      )}
      {notSaving !== null && (
        <p className="border-line border-b bg-sunken px-4 py-1 text-sm">
          <strong className="text-state-attention">{labels.connection.notSaving(notSaving)}</strong>
        </p>
      )}
    </div>
  );
}
