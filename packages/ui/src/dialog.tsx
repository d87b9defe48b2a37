'use client';

import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { IconButton } from './button.tsx';
import { cn } from './cn.ts';
import { labels } from './labels.ts';

interface Props {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  readonly description?: string | undefined;
  readonly children: ReactNode;
  /** `alertdialog` for a question that must be answered. */
  readonly role?: 'dialog' | 'alertdialog';
  readonly initialFocus?: RefObject<HTMLElement | null>;
}

const backdrop = 'fixed inset-0 z-40 bg-overlay';

/** A modal in the middle of the page; from the bottom edge on phones. */
export function Dialog({ open, onOpenChange, title, description, children, role = 'dialog', initialFocus }: Props) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className={backdrop} />
        <Base.Popup
          role={role}
          {...(initialFocus && { initialFocus })}
          className={cn(
            'fixed z-50 flex max-h-[90dvh] flex-col overflow-y-auto border border-line bg-surface text-ink shadow-overlay outline-none',
            'inset-x-0 bottom-0 rounded-t-lg sm:inset-x-auto sm:bottom-auto sm:left-1/2 sm:top-[12dvh] sm:max-h-[76dvh] sm:w-[480px] sm:-translate-x-1/2 sm:rounded-lg',
          )}
        >
          <header className="flex items-start justify-between gap-2 px-4 pt-3">
            <Base.Title className="min-w-0 py-1 font-semibold text-base break-words">{title}</Base.Title>
            <Base.Close render={<IconButton label={labels.close} icon={<X size={16} />} className="-mr-2" />} />
          </header>
          {description !== undefined && (
            <Base.Description className="px-4 text-ink-soft text-sm">{description}</Base.Description>
          )}
          <div className="px-4 pt-3 pb-4">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

interface DrawerProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  readonly side: 'left' | 'right';
  readonly children: ReactNode;
}

/** A panel from the side, where there is no room for it beside the page. */
export function Drawer({ open, onOpenChange, title, side, children }: DrawerProps) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className={backdrop} />
        <Base.Popup
          className={cn(
            'fixed inset-y-0 z-50 flex w-[min(300px,86vw)] flex-col bg-paper text-ink shadow-overlay outline-none',
            side === 'left' ? 'left-0 border-line border-r' : 'right-0 border-line border-l',
          )}
        >
          <Base.Title className="sr-only">{title}</Base.Title>
          {children}
          <Base.Close className="sr-only">{labels.close}</Base.Close>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** The row of answers at the foot of a dialog. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className="mt-4 flex flex-wrap justify-end gap-2">{children}</div>;
}
