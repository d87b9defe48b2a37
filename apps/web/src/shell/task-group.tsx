'use client';

import type { Task } from '@vigil/client';
import { cn, labels, StatusGlyph, type StatusReading } from '@vigil/ui';
import Link from 'next/link';
import { memo, useId } from 'react';
import type { TaskRow } from '../lib/task-order.ts';

interface RowProps {
  readonly task: Task;
  readonly status: StatusReading;
  readonly open: boolean;
  readonly unread: boolean;
}

const Row = memo(function Row({ task, status, open, unread }: RowProps) {
  return (
    <li className="cheap-row px-2 py-px">
      <Link
        href={`/tasks/${encodeURIComponent(task.id)}`}
        prefetch={false}
        data-nav
        aria-current={open ? 'page' : undefined}
        className={cn(
          'flex h-7 items-center gap-2 rounded px-2 hover:bg-sunken focus-visible:outline-offset-[-2px] pointer-coarse:h-10',
          open && 'bg-sunken',
        )}
      >
        <StatusGlyph status={status} />
        <span className={cn('min-w-0 flex-1 truncate', unread && 'font-semibold')}>{task.title}</span>
        {unread && <span className="sr-only">{labels.nav.finishedUnread}</span>}
        {task.queuedPromptCount > 0 && (
          <span
            role="img"
            aria-label={labels.nav.queued(task.queuedPromptCount)}
            data-tip={labels.nav.queued(task.queuedPromptCount)}
            className="tabular rounded border border-line px-1 text-ink-soft text-xs"
          >
            {task.queuedPromptCount}
          </span>
        )}
      </Link>
    </li>
  );
});

interface GroupProps {
  readonly heading: string;
  readonly rows: readonly TaskRow[];
  readonly openTaskId: string | null;
  readonly unread: ReadonlySet<string>;
  readonly urgent?: boolean;
}

export function TaskGroup({ heading, rows, openTaskId, unread, urgent = false }: GroupProps) {
  const id = useId();
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby={id} className="pt-2">
      <h2
        id={id}
        className={cn('flex items-center gap-2 px-4 py-1 text-xs', urgent ? 'font-semibold' : 'text-ink-soft')}
      >
        {heading}
        <span className={cn('tabular', urgent && 'rounded border border-line px-1')}>{rows.length}</span>
      </h2>
      <ul>
        {rows.map(({ task, status }) => (
          <Row
            key={task.id}
            task={task}
            status={status}
            open={!urgent && task.id === openTaskId}
            unread={unread.has(task.id)}
          />
        ))}
      </ul>
    </section>
  );
}
