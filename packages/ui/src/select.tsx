'use client';

import { Select as Base } from '@base-ui/react/select';
import { Check, ChevronDown } from 'lucide-react';
import { cn } from './cn.ts';

export interface SelectOption<V extends string> {
  readonly value: V;
  readonly label: string;
}

interface Props<V extends string> {
  /** Accessible name. */
  readonly label: string;
  readonly value: V | null;
  readonly options: readonly SelectOption<V>[];
  readonly onChange: (value: V) => void;
  readonly disabled?: boolean;
  readonly placeholder?: string;
  readonly className?: string;
}

export function Select<V extends string>(props: Props<V>) {
  const { label, value, options, onChange, disabled = false, placeholder, className } = props;
  return (
    <Base.Root
      items={options}
      value={value}
      disabled={disabled}
      onValueChange={(next: V | null) => next !== null && onChange(next)}
    >
      <Base.Trigger
        aria-label={label}
        className={cn(
          'inline-flex h-7 cursor-pointer select-none items-center justify-between gap-2 rounded border border-line-strong/60 bg-surface px-2 text-ink text-sm hover:bg-sunken pointer-coarse:min-h-9',
          className,
        )}
      >
        <Base.Value>{(current: V | null) => options.find((o) => o.value === current)?.label ?? placeholder}</Base.Value>
        <Base.Icon>
          <ChevronDown size={14} aria-hidden="true" />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-50">
          <Base.Popup className="z-50 min-w-(--anchor-width) rounded-md border border-line bg-surface p-1 text-ink text-sm shadow-overlay outline-none">
            {options.map((option) => (
              <Base.Item
                key={option.value}
                value={option.value}
                className="flex min-h-7 cursor-default select-none items-center gap-2 rounded px-2 outline-none data-[highlighted]:bg-sunken pointer-coarse:min-h-10"
              >
                <span className="inline-flex size-4 items-center">
                  <Base.ItemIndicator>
                    <Check size={14} aria-hidden="true" />
                  </Base.ItemIndicator>
                </span>
                <Base.ItemText>{option.label}</Base.ItemText>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
