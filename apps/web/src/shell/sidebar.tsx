'use client';

import { Button, cn, IconButton, inputStyle, labels } from '@vigil/ui';
import { PanelLeftClose, Plus, SquareKanban } from 'lucide-react';
import Link from 'next/link';
import { usePathname, useRouter } from 'next/navigation';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { useDialogs } from '../dialogs/dialogs.tsx';
import { useBoard } from '../lib/board-context.tsx';
import type { TaskRow } from '../lib/task-order.ts';
import { ConnectionStatus } from './connection.tsx';
import { PreferencesMenu } from './preferences-menu.tsx';
import { TaskGroup } from './task-group.tsx';

/** What one is looking at comes before what waits and what is over. */
const GROUPS = ['in_progress', 'review', 'backlog', 'done'] as const;

function matches(rows: readonly TaskRow[], query: string): readonly TaskRow[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter(({ task }) => {
    const text = `${task.title}\n${task.description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function Head({ onCollapse }: { readonly onCollapse: () => void }) {
  const dialogs = useDialogs();
  const onBoard = usePathname() === '/';
  return (
    <div className="flex flex-col gap-2 px-2 pt-2">
      <div className="flex items-center justify-between">
        <Link href="/" className="rounded px-2 font-semibold text-base">
          {labels.app}
        </Link>
        <IconButton label={labels.nav.collapse} icon={<PanelLeftClose size={16} />} onClick={onCollapse} />
      </div>
      <Link
        href="/"
        aria-current={onBoard ? 'page' : undefined}
        className={cn(
          'flex h-7 items-center gap-2 rounded px-2 hover:bg-sunken pointer-coarse:h-10',
          onBoard && 'bg-sunken',
        )}
      >
        <SquareKanban size={16} aria-hidden="true" />
        {labels.nav.board}
      </Link>
      <Button onClick={() => dialogs.newTask()} className="justify-start px-2">
        <Plus size={16} aria-hidden="true" />
        {labels.task.new}
      </Button>
    </div>
  );
}

function Groups({ query }: { readonly query: string }) {
  const { columns, needsYou, unread, openTaskId } = useBoard();
  const groups = GROUPS.map((state) => ({ state, rows: matches(columns[state], query) }));
  const urgent = matches(needsYou, query);
  const none = query.trim() !== '' && groups.every(({ rows }) => rows.length === 0);
  if (none) return <p className="px-4 py-2 text-ink-soft">{labels.nav.noMatch(query.trim())}</p>;
  return (
    <>
      {urgent.length > 0 && (
        <TaskGroup heading={labels.nav.needsYou} rows={urgent} openTaskId={openTaskId} unread={unread} urgent />
      )}
      {groups.map(({ state, rows }) => (
        <TaskGroup key={state} heading={labels.taskState[state]} rows={rows} openTaskId={openTaskId} unread={unread} />
      ))}
    </>
  );
}

/** The first match, for Enter in the search field. */
function useFirstMatch(query: string): string | null {
  const { columns } = useBoard();
  return useMemo(() => {
    if (query.trim() === '') return null;
    return GROUPS.flatMap((state) => matches(columns[state], query))[0]?.task.id ?? null;
  }, [columns, query]);
}

export function Sidebar({ onCollapse }: { readonly onCollapse: () => void }) {
  const [query, setQuery] = useState('');
  const router = useRouter();
  const first = useFirstMatch(query);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter' && first !== null) {
      router.push(`/tasks/${encodeURIComponent(first)}`);
      setQuery('');
      event.currentTarget.blur();
    }
    if (event.key === 'Escape') setQuery('');
  };
  return (
    <nav aria-label={labels.nav.tasks} className="flex min-h-0 w-full flex-1 flex-col">
      <Head onCollapse={onCollapse} />
      <div className="px-2 py-2">
        <input
          type="search"
          data-search
          aria-label={labels.nav.search}
          placeholder={labels.nav.searchHint}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={onKeyDown}
          className={cn(inputStyle, 'h-7')}
        />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto pb-2">
        <Groups query={query} />
      </div>
      <div className="flex items-center justify-between gap-2 border-line border-t py-1.5 pr-2 pl-4">
        <ConnectionStatus />
        <PreferencesMenu />
      </div>
    </nav>
  );
}
