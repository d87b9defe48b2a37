'use client';

import { useTheme } from 'next-themes';
import type { CSSProperties } from 'react';
import { Toaster } from 'sonner';

const style = {
  '--normal-bg': 'var(--surface)',
  '--normal-text': 'var(--ink)',
  '--normal-border': 'var(--line-strong)',
  '--border-radius': '6px',
  fontFamily: 'inherit',
} as CSSProperties;

export function Toasts() {
  const { resolvedTheme } = useTheme();
  return (
    <Toaster
      // Where nothing is pressed: the composer and its buttons are at the bottom.
      position="top-right"
      offset={{ top: 52, right: 16 }}
      mobileOffset={{ top: 52 }}
      closeButton
      theme={resolvedTheme === 'dark' ? 'dark' : 'light'}
      style={style}
      toastOptions={{ classNames: { description: 'text-ink-soft!', toast: 'text-sm!' } }}
    />
  );
}
