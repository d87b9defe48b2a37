import { buttonStyle, labels } from '@vigil/ui';
import Link from 'next/link';
import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  readonly meaning: string;
  readonly children?: ReactNode;
}

/** A page with nothing to show but why, and where to go. */
export function Blank({ title, meaning, children }: Props) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-start gap-2 px-4 py-16">
      <h1 className="font-semibold text-lg">{title}</h1>
      <p className="text-ink-soft">{meaning}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        {children}
        <Link href="/" className={buttonStyle({ variant: 'plain' })}>
          {labels.task.toBoard}
        </Link>
      </div>
    </div>
  );
}
