'use client';

import { cn, labels } from '@vigil/ui';
import { useMemo } from 'react';
import { focusableIfScrollable } from '../lib/focusable-if-scrollable.ts';
import { type DiffLine, diffLines } from './diff-lines.ts';

const SIGNS: Record<DiffLine['kind'], string> = { same: ' ', gone: '-', new: '+', gap: '⋯' };
const COLOURS: Record<DiffLine['kind'], string> = {
  same: '',
  gone: 'text-state-failed',
  new: 'text-state-done',
  gap: 'text-ink-soft',
};

interface Props {
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
}

export function Diff({ path, before, after }: Props) {
  const lines = useMemo(() => diffLines(before ?? '', after), [before, after]);
  return (
    <div className="rounded border border-line">
      <p className="border-line border-b px-2 py-1 text-xs [overflow-wrap:anywhere]">
        {path} {before === null && <span className="text-ink-soft">({labels.transcript.created})</span>}
      </p>
      <pre ref={focusableIfScrollable} className="max-h-96 overflow-auto bg-sunken py-1 text-xs">
        {lines.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no id and never move
          <div key={index} className={cn('px-2', COLOURS[entry.kind])}>
            {SIGNS[entry.kind]} {entry.text}
          </div>
        ))}
      </pre>
    </div>
  );
}
