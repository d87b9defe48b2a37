import type { Message, NoticeCode } from '@vigil/client';
import { cn } from '@vigil/ui';
import { AlarmClock, Ban, CircleX, type LucideIcon, Minus, Power, TriangleAlert } from 'lucide-react';
import { formatClock } from '../lib/time.ts';

const ICONS: Record<NoticeCode, LucideIcon> = {
  turn_ended: Minus,
  turn_failed: CircleX,
  output_lost: TriangleAlert,
  woken: AlarmClock,
  agent_died: CircleX,
  agent_started: Power,
  cancelled: Ban,
  start_failed: CircleX,
  stalled: TriangleAlert,
  idle_stopped: Power,
};

const COLOURS = { info: 'text-ink-soft', warning: 'text-state-attention', error: 'text-state-failed' } as const;

/** Boundaries of turns, wakes and deaths: one quiet line across, louder only when something went wrong. */
export function NoticeRow({ message }: { readonly message: Extract<Message, { kind: 'notice' }> }) {
  const Icon = ICONS[message.code] ?? Minus;
  return (
    <div className={cn('flex items-start gap-2 py-1.5 text-xs', COLOURS[message.level])}>
      <Icon size={14} aria-hidden="true" className="mt-px shrink-0" />
      <span className="min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]">{message.text}</span>
      <span aria-hidden="true" className="mt-2 h-px min-w-4 flex-1 bg-line" />
      <time dateTime={message.createdAt} className="shrink-0 text-ink-soft">
        {formatClock(message.createdAt)}
      </time>
    </div>
  );
}
