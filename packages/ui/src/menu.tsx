'use client';

import { Menu as Base } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { cn } from './cn.ts';

const popup = 'z-50 min-w-40 rounded-md border border-line bg-surface p-1 text-ink text-sm shadow-overlay outline-none';
const item =
  'flex min-h-7 cursor-default select-none items-center gap-2 rounded px-2 outline-none data-[disabled]:opacity-55 data-[highlighted]:bg-sunken pointer-coarse:min-h-10';

interface Props {
  /** The button that opens it. */
  readonly trigger: ReactElement;
  readonly children: ReactNode;
  readonly side?: 'top' | 'bottom';
}

export function Menu({ trigger, children, side = 'bottom' }: Props) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner side={side} align="end" sideOffset={4} className="z-50">
          <Base.Popup className={popup}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

interface ItemProps {
  readonly onSelect: () => void;
  readonly icon?: ReactNode;
  readonly danger?: boolean;
  readonly children: ReactNode;
}

export function MenuItem({ onSelect, icon, danger = false, children }: ItemProps) {
  return (
    <Base.Item onClick={onSelect} className={cn(item, danger && 'text-state-failed')}>
      {icon}
      {children}
    </Base.Item>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
}

export function MenuChoice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <Base.RadioGroup value={value} onValueChange={(next: string) => onChange(next)}>
      <Base.Group>
        <Base.GroupLabel className="px-2 py-1 text-ink-soft text-xs">{label}</Base.GroupLabel>
        {options.map((option) => (
          <Base.RadioItem key={option.value} value={option.value} className={item}>
            <span className="inline-flex size-4 items-center">
              <Base.RadioItemIndicator>
                <Check size={14} aria-hidden="true" />
              </Base.RadioItemIndicator>
            </span>
            {option.label}
          </Base.RadioItem>
        ))}
      </Base.Group>
    </Base.RadioGroup>
  );
}

interface CheckProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ReactNode;
}

export function MenuCheck({ checked, onChange, children }: CheckProps) {
  return (
    <Base.CheckboxItem checked={checked} onCheckedChange={(next) => onChange(next)} className={item}>
      <span className="inline-flex size-4 items-center">
        <Base.CheckboxItemIndicator>
          <Check size={14} aria-hidden="true" />
        </Base.CheckboxItemIndicator>
      </span>
      {children}
    </Base.CheckboxItem>
  );
}

export function MenuSeparator() {
  return <Base.Separator className="my-1 h-px bg-line" />;
}
