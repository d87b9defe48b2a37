'use client';

import type { Queue, QueueEntry } from '@vigil/client';
import { trpc } from '@vigil/client/react';
import { Button, IconButton, labels } from '@vigil/ui';
import { CornerRightUp, X } from 'lucide-react';
import { reportError } from '../lib/report-error.tsx';

const SHORT = 60;
const LONGEST_TIP = 400;

function shortOf(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > SHORT ? `${line.slice(0, SHORT)}…` : line;
}

interface ChipProps {
  readonly sessionId: string;
  /** The turn at work, as it is shown: sending now replaces it, and no other. */
  readonly generation: number | null;
  readonly entry: QueueEntry;
}

function Chip({ sessionId, generation, entry }: ChipProps) {
  const sendNow = trpc.queue.sendNow.useMutation({
    onError: (error) =>
      reportError({ what: labels.composer.sendNowFailed, meaning: labels.composer.sendNowFailedMeaning }, error),
  });
  const remove = trpc.queue.remove.useMutation({
    onError: (error) =>
      reportError({ what: labels.composer.removeFailed, meaning: labels.composer.removeFailedMeaning }, error),
  });
  return (
    <li className="flex min-w-0 max-w-full items-center gap-1 rounded border border-line bg-surface pl-2">
      <span className="min-w-16 truncate" data-tip={entry.text.slice(0, LONGEST_TIP)}>
        {shortOf(entry.text)}
      </span>
      {entry.error !== null && (
        <span className="min-w-0 truncate text-state-failed text-xs" data-tip={entry.error.slice(0, LONGEST_TIP)}>
          {entry.error}
        </span>
      )}
      <IconButton
        label={(generation === null ? labels.composer.sendNow : labels.composer.sendInstead)(shortOf(entry.text))}
        icon={<CornerRightUp size={14} />}
        disabled={sendNow.isPending}
        onClick={() =>
          sendNow.mutate({ sessionId, messageId: entry.messageId, ...(generation !== null && { generation }) })
        }
      />
      <IconButton
        label={labels.composer.remove(shortOf(entry.text))}
        icon={<X size={14} />}
        disabled={remove.isPending}
        onClick={() => remove.mutate({ sessionId, messageId: entry.messageId })}
      />
    </li>
  );
}

function Parked({ sessionId }: { readonly sessionId: string }) {
  const setAutoRun = trpc.queue.setAutoRun.useMutation({
    onError: (error) =>
      reportError({ what: labels.composer.resumeFailed, meaning: labels.composer.resumeFailedMeaning }, error),
  });
  return (
    <p className="flex items-center gap-2 text-ink-soft">
      {labels.composer.parked}
      <Button size="sm" disabled={setAutoRun.isPending} onClick={() => setAutoRun.mutate({ sessionId, on: true })}>
        {labels.composer.resume}
      </Button>
    </p>
  );
}

interface QueueChipsProps {
  readonly sessionId: string;
  readonly generation: number | null;
  readonly queue: Queue | null;
}

/** What waits for the agent, in the order in which it will be sent. */
export function QueueChips({ sessionId, generation, queue }: QueueChipsProps) {
  if (queue === null || queue.entries.length === 0) return null;
  return (
    <div className="flex flex-col gap-1.5">
      {!queue.autoRun && <Parked sessionId={sessionId} />}
      <ol aria-label={labels.composer.queueList} className="flex max-h-28 flex-wrap gap-1.5 overflow-y-auto">
        {queue.entries.map((entry) => (
          <Chip key={entry.messageId} sessionId={sessionId} generation={generation} entry={entry} />
        ))}
      </ol>
    </div>
  );
}
