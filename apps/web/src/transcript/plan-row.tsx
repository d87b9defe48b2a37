import type { Message } from '@vigil/client';
import { cn, labels } from '@vigil/ui';
import { Circle, CircleCheck, CircleDot } from 'lucide-react';

const ICONS: Readonly<Record<string, typeof Circle>> = { in_progress: CircleDot, completed: CircleCheck };

export function PlanRow({ message }: { readonly message: Extract<Message, { kind: 'plan' }> }) {
  return (
    <div className="py-1.5">
      <p className="mb-1 font-medium text-xs">{labels.transcript.plan}</p>
      <ol className="flex flex-col gap-0.5">
        {message.entries.map((entry, index) => {
          const Icon = ICONS[entry.status] ?? Circle;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id, and their order is their identity
            <li key={index} className="flex items-start gap-2">
              <Icon
                size={14}
                role="img"
                aria-label={labels.transcript.planStatus[entry.status] ?? entry.status}
                className="mt-[3px] shrink-0 text-ink-soft"
              />
              <span className={cn('min-w-0 [overflow-wrap:anywhere]', entry.status === 'completed' && 'text-ink-soft')}>
                {entry.content}
              </span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
