import { cn } from './cn.ts';
import { Glyph } from './glyphs.tsx';
import type { StatusReading, StatusTone } from './status.ts';

const TONES: Record<StatusTone, string> = {
  attention: 'text-state-attention',
  question: 'text-state-question',
  generating: 'text-state-generating',
  background: 'text-state-background',
  failed: 'text-state-failed',
  done: 'text-state-done',
  neutral: 'text-state-neutral',
};

interface Props {
  readonly status: StatusReading;
  readonly size?: 16 | 20;
  readonly className?: string;
}

/** For compact places: the glyph with a tooltip and an accessible label. */
export function StatusGlyph({ status, size = 16, className }: Props) {
  return (
    <span
      role="img"
      aria-label={status.label}
      data-tip={status.label}
      data-status={status.kind}
      className={cn('inline-flex shrink-0', TONES[status.tone], className)}
    >
      <Glyph icon={status.icon} size={size} segmented={size === 20 && status.kind === 'background'} />
    </span>
  );
}

/** Glyph and words. */
export function Status({ status, size = 16, className }: Props) {
  return (
    <span
      data-status={status.kind}
      className={cn('inline-flex min-w-0 items-center gap-1.5', TONES[status.tone], className)}
    >
      <span className="inline-flex shrink-0">
        <Glyph icon={status.icon} size={size} segmented={size === 20 && status.kind === 'background'} />
      </span>
      <span className="min-w-0">{status.label}</span>
    </span>
  );
}
