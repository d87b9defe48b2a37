'use client';

import type { Session } from '@vigil/client';
import { useSession } from '@vigil/client/react';
import { labels } from '@vigil/ui';
import { messageOf } from '../lib/report-error.tsx';
import { Transcript } from '../transcript/transcript.tsx';
import { Composer } from './composer.tsx';
import { PendingRequests } from './pending-requests.tsx';
import { QueueChips } from './queue-chips.tsx';
import { nameOf } from './session-name.ts';

interface Props {
  readonly sessionId: string;
  /** The session as the board has it: there at once, before the transcript is. */
  readonly live: Session;
  /** The session was made just now: write its first prompt. */
  readonly fresh: boolean;
}

export function SessionPanel({ sessionId, live, fresh }: Props) {
  const reading = useSession(sessionId);
  return (
    <div role="tabpanel" aria-label={nameOf(live)} className="flex min-h-0 min-w-0 flex-1 flex-col">
      {reading.error && (
        <p role="alert" className="border-line border-b px-4 py-2 text-state-failed">
          {labels.session.unreadable} <span className="text-ink-soft">{messageOf(reading.error.message)}</span>
        </p>
      )}
      <Transcript reading={reading} />
      <div className="shrink-0 border-line border-t">
        <div className="mx-auto flex max-w-[760px] flex-col gap-2 px-4 pt-2 pb-3">
          <PendingRequests session={live} />
          <QueueChips sessionId={sessionId} generation={live.generation} queue={reading.queue} />
          <Composer session={live} focus={fresh} />
        </div>
      </div>
    </div>
  );
}
