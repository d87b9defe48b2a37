'use client';

import { useActivity } from '@vigil/client/react';
import { NEEDS_YOU } from '@vigil/ui';
import { usePathname } from 'next/navigation';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { type Columns, columnsOf, TASK_STATES, type TaskRow } from './task-order.ts';
import { useUnread } from './use-unread.ts';

export interface BoardReading {
  readonly columns: Columns;
  /** Permission, clarification, failed, finished and not looked at: in this order. */
  readonly needsYou: readonly TaskRow[];
  readonly unread: ReadonlySet<string>;
  readonly size: number;
  readonly ready: boolean;
  readonly openTaskId: string | null;
}

const BoardContext = createContext<BoardReading | null>(null);

function openTask(pathname: string): string | null {
  const id = /^\/tasks\/([^/]+)/.exec(pathname)?.[1];
  return id === undefined ? null : decodeURIComponent(id);
}

function needsYouOf(columns: Columns, unread: ReadonlySet<string>): readonly TaskRow[] {
  const rows = TASK_STATES.flatMap((state) => columns[state]);
  const urgent = NEEDS_YOU.flatMap((kind) => rows.filter((row) => row.status.kind === kind));
  const taken = new Set(urgent.map((row) => row.task.id));
  return [...urgent, ...rows.filter((row) => unread.has(row.task.id) && !taken.has(row.task.id))];
}

/** Reads the stream once for board, sidebar and shortcuts. */
export function BoardProvider({ children }: { readonly children: ReactNode }) {
  const { tasks, sessions, ready } = useActivity();
  const openTaskId = openTask(usePathname());
  const unread = useUnread(tasks, openTaskId);
  const columns = useMemo(() => columnsOf(tasks, sessions), [tasks, sessions]);
  const value = useMemo(
    () => ({ columns, needsYou: needsYouOf(columns, unread), unread, size: tasks.size, ready, openTaskId }),
    [columns, unread, tasks, ready, openTaskId],
  );
  return <BoardContext value={value}>{children}</BoardContext>;
}

export function useBoard(): BoardReading {
  const board = useContext(BoardContext);
  if (board === null) throw new Error('useBoard was used outside of <BoardProvider>.');
  return board;
}
