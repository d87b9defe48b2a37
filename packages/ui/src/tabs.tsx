'use client';

import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';

interface Tab {
  readonly id: string;
  readonly content: ReactNode;
}

interface Props {
  readonly label: string;
  readonly value: string | null;
  readonly tabs: readonly Tab[];
  readonly onChange: (id: string) => void;
  readonly children: ReactNode;
}

/** A row of tabs; the panel is the page's own matter: give it `role="tabpanel"`. */
export function Tabs({ label, value, tabs, onChange, children }: Props) {
  return (
    <Base.Root
      value={value}
      onValueChange={(next: string) => onChange(next)}
      className="flex shrink-0 items-center gap-1 border-line border-b px-2"
    >
      <Base.List aria-label={label} className="flex min-w-0 gap-1 overflow-x-auto">
        {tabs.map(({ id, content }) => (
          <Base.Tab
            key={id}
            value={id}
            className="-mb-px flex h-8 max-w-56 shrink-0 cursor-pointer items-center gap-1.5 border-transparent border-b-2 px-2 text-ink-soft text-sm hover:text-ink focus-visible:outline-offset-[-2px] data-[active]:border-ink data-[active]:text-ink pointer-coarse:h-10"
          >
            {content}
          </Base.Tab>
        ))}
      </Base.List>
      {children}
    </Base.Root>
  );
}
