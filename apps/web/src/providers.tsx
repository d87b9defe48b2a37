'use client';

import { VigilProvider } from '@vigil/client/react';
import { Tooltips } from '@vigil/ui';
import { ThemeProvider } from 'next-themes';
import type { ReactNode } from 'react';
import { DialogsProvider } from './dialogs/dialogs.tsx';
import { AppShell } from './shell/app-shell.tsx';
import { Toasts } from './shell/toasts.tsx';

export function Providers({ children }: { readonly children: ReactNode }) {
  return (
    <ThemeProvider attribute="class" defaultTheme="system" enableSystem disableTransitionOnChange>
      <VigilProvider>
        <DialogsProvider>
          <AppShell>{children}</AppShell>
        </DialogsProvider>
      </VigilProvider>
      <Tooltips />
      <Toasts />
    </ThemeProvider>
  );
}
