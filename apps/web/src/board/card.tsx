'use client';

import { useSortable } from '@dnd-kit/sortable';
import type { Task } from '@vigil/client';
import { cn, labels, Status, type StatusReading } from '@vigil/ui';
import { GripVertical } from 'lucide-react';
import Link from 'next/link';
import { memo, type ReactNode } from 'react';

interface Props {
  readonly task: Task;
  readonly status: StatusReading;
}

interface FaceProps extends Props {
  readonly lifted?: boolean;
  readonly handle?: ReactNode;
}

export function CardFace({ task, status, lifted = false, handle }: FaceProps) {
  return (
    <div
      className={cn(
        'group relative flex flex-col gap-1.5 rounded border border-line bg-surface px-2.5 py-2 hover:border-line-strong has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-ink has-[a:focus-visible]:outline-offset-[-2px]',
        lifted && 'cursor-grabbing border-line-strong shadow-overlay',
      )}
    >
      <div className="flex items-start gap-1">
        <Link
          href={`/tasks/${encodeURIComponent(task.id)}`}
          prefetch={false}
          data-nav
          draggable={false}
          className="line-clamp-3 min-w-0 flex-1 font-medium outline-none [overflow-wrap:anywhere] after:absolute after:inset-0 after:content-['']"
        >
          {task.title}
        </Link>
        {handle}
      </div>
      <div className="flex items-center justify-between gap-2 text-xs">
        <Status status={status} />
        {task.queuedPromptCount > 0 && (
          <span className="tabular shrink-0 text-ink-soft">{labels.nav.queued(task.queuedPromptCount)}</span>
        )}
      </div>
    </div>
  );
}

/** The whole card drags by mouse and touch; its handle by keyboard. */
export const SortableCard = memo(function SortableCard({ task, status }: Props) {
  const sortable = useSortable({ id: task.id });
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = sortable;
  const style = transform ? { transform: `translate3d(${transform.x}px, ${transform.y}px, 0)`, transition } : undefined;
  return (
    <li ref={setNodeRef} style={style} className={cn('cheap-card', isDragging && 'opacity-35')} {...listeners}>
      <CardFace
        task={task}
        status={status}
        handle={
          <button
            {...attributes}
            ref={setActivatorNodeRef}
            type="button"
            aria-label={labels.board.move(task.title)}
            className="relative z-10 -mr-1.5 flex size-6 shrink-0 cursor-grab items-center justify-center rounded text-ink-soft opacity-0 hover:bg-sunken focus-visible:opacity-100 group-hover:opacity-100 pointer-coarse:pointer-events-none"
          >
            <GripVertical size={14} aria-hidden="true" />
          </button>
        }
      />
    </li>
  );
});
