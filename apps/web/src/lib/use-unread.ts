'use client';

import type { Task } from '@vigil/client';
import { useEffect, useRef, useState } from 'react';

const KEY = 'vigil.unread';
const NONE: ReadonlySet<string> = new Set();

function load(): ReadonlySet<string> {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return new Set(Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []);
  } catch {
    return NONE;
  }
}

function save(ids: ReadonlySet<string>): void {
  try {
    localStorage.setItem(KEY, JSON.stringify([...ids]));
  } catch {
    // Private windows may refuse.
  }
}

type Tiers = ReadonlyMap<string, Task['foregroundActivity']>;

/** Ids of tasks whose exposed tier went to none since the last look (S144: never an inferred workload). */
function finishedSince(before: Tiers, tasks: ReadonlyMap<string, Task>): string[] {
  const finished: string[] = [];
  for (const task of tasks.values()) {
    const was = before.get(task.id) ?? null;
    if (was !== null && task.foregroundActivity === null && task.liveness === 'live') finished.push(task.id);
  }
  return finished;
}

function merge(unread: ReadonlySet<string>, finished: readonly string[], openTaskId: string | null) {
  const next = new Set([...unread, ...finished]);
  if (openTaskId !== null) next.delete(openTaskId);
  const same = next.size === unread.size && [...next].every((id) => unread.has(id));
  return same ? unread : next;
}

/** Tasks that finished while nobody had them open in this browser. */
export function useUnread(tasks: ReadonlyMap<string, Task>, openTaskId: string | null): ReadonlySet<string> {
  const [unread, setUnread] = useState(NONE);
  const before = useRef<Tiers>(new Map());
  useEffect(() => setUnread(load()), []);
  useEffect(() => {
    const finished = finishedSince(before.current, tasks);
    before.current = new Map(Array.from(tasks.values(), (task) => [task.id, task.foregroundActivity]));
    setUnread((known) => merge(known, finished, openTaskId));
  }, [tasks, openTaskId]);
  useEffect(() => {
    if (unread !== NONE) save(unread);
  }, [unread]);
  return unread;
}
