'use client';

import { useConnection } from '@vigil/client/react';
import { Drawer, IconButton, labels } from '@vigil/ui';
import { Menu as MenuIcon, PanelLeftOpen, Plus } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { useDialogs } from '../dialogs/dialogs.tsx';
import { BoardProvider } from '../lib/board-context.tsx';
import { usePreference } from '../lib/preferences.ts';
import { ConnectionBanner } from './connection.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { Sidebar } from './sidebar.tsx';

function TopBar({ onOpen }: { readonly onOpen: () => void }) {
  const dialogs = useDialogs();
  return (
    <header className="flex h-11 shrink-0 items-center gap-1 border-line border-b px-2 md:hidden">
      <IconButton label={labels.nav.openSidebar} icon={<MenuIcon size={18} />} onClick={onOpen} />
      <Link href="/" className="px-1 font-semibold text-base">
        {labels.app}
      </Link>
      <IconButton
        label={labels.task.new}
        icon={<Plus size={18} />}
        onClick={() => dialogs.newTask()}
        className="ml-auto"
      />
    </header>
  );
}

function Rail({ onExpand }: { readonly onExpand: () => void }) {
  const dialogs = useDialogs();
  return (
    <aside
      aria-label={labels.nav.expand}
      className="hidden w-11 shrink-0 flex-col items-center gap-1 border-line border-r py-2 md:flex"
    >
      <IconButton label={labels.nav.expand} icon={<PanelLeftOpen size={16} />} onClick={onExpand} />
      <IconButton label={labels.task.new} icon={<Plus size={16} />} onClick={() => dialogs.newTask()} />
    </aside>
  );
}

function Frame({ children }: { readonly children: ReactNode }) {
  const [expanded, setExpanded] = usePreference('sidebar');
  const pathname = usePathname();
  const connection = useConnection();
  // Following a link closes the drawer: it is open for one page only.
  const [drawerFor, setDrawerFor] = useState<string | null>(null);
  return (
    <div data-live={connection.status === 'live'} className="flex h-dvh flex-col md:flex-row">
      <a
        href="#main"
        className="sr-only z-50 rounded bg-surface px-3 py-1 focus:not-sr-only focus:absolute focus:top-2 focus:left-2"
      >
        {labels.nav.skip}
      </a>
      <TopBar onOpen={() => setDrawerFor(pathname)} />
      {expanded ? (
        <div className="hidden w-[260px] shrink-0 border-line border-r md:flex">
          <Sidebar onCollapse={() => setExpanded(false)} />
        </div>
      ) : (
        <Rail onExpand={() => setExpanded(true)} />
      )}
      <Drawer
        open={drawerFor === pathname}
        onOpenChange={(open) => setDrawerFor(open ? pathname : null)}
        title={labels.nav.tasks}
        side="left"
      >
        <Sidebar onCollapse={() => setDrawerFor(null)} />
      </Drawer>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <ConnectionBanner />
        <main id="main" tabIndex={-1} className="flex min-h-0 flex-1 flex-col overflow-y-auto outline-none">
          {children}
        </main>
      </div>
      <Shortcuts onSearch={() => setExpanded(true)} />
    </div>
  );
}

export function AppShell({ children }: { readonly children: ReactNode }) {
  return (
    <BoardProvider>
      <Frame>{children}</Frame>
    </BoardProvider>
  );
}
