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
      position="bottom-right"
      closeButton
      theme={resolvedTheme === 'dark' ? 'dark' : 'light'}
      style={style}
      toastOptions={{ classNames: { description: 'text-ink-soft!', toast: 'text-sm!' } }}
    />
  );
}
