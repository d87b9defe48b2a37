'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { useDialogs } from '../dialogs/dialogs.tsx';
import { useBoard } from '../lib/board-context.tsx';

/** How long `g` waits for its second key, in ms. */
const CHORD_MS = 1_200;

function isEditable(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}

function isModalOpen(): boolean {
  return document.querySelector('[role=dialog],[role=alertdialog],[role=menu],[role=listbox]') !== null;
}

/** Cards of the page, or the rows of the sidebar where the page has none. */
function navItems(): HTMLElement[] {
  const visible = (root: ParentNode | null) =>
    [...(root?.querySelectorAll<HTMLElement>('[data-nav]') ?? [])].filter((item) => item.offsetParent !== null);
  const own = visible(document.getElementById('main'));
  return own.length > 0 ? own : visible(document);
}

function moveFocus(step: 1 | -1): void {
  const items = navItems();
  const focused = document.activeElement;
  const at = focused instanceof HTMLElement ? items.indexOf(focused) : -1;
  const current = at >= 0 ? at : items.findIndex((item) => item.getAttribute('aria-current') === 'page');
  const next =
    current < 0 ? (step === 1 ? 0 : items.length - 1) : Math.min(Math.max(current + step, 0), items.length - 1);
  const target = items[next];
  target?.focus();
  target?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

function focusSearch(): void {
  document.querySelector<HTMLInputElement>('[data-search]')?.focus();
}

function focusPrompt(): void {
  document.querySelector<HTMLTextAreaElement>('[data-prompt]')?.focus();
}

type Keys = ReadonlyMap<string, () => void>;

function useKeys(onSearch: () => void): Keys {
  const router = useRouter();
  const dialogs = useDialogs();
  const { needsYou, openTaskId } = useBoard();
  const nextNeedsYou = () => {
    const at = needsYou.findIndex((row) => row.task.id === openTaskId);
    const next = needsYou[(at + 1) % needsYou.length];
    if (next) router.push(`/tasks/${encodeURIComponent(next.task.id)}`);
  };
  const search = () => {
    onSearch();
    requestAnimationFrame(focusSearch);
  };
  return new Map<string, () => void>([
    ['c', dialogs.newTask],
    ['/', search],
    ['n', nextNeedsYou],
    ['j', () => moveFocus(1)],
    ['k', () => moveFocus(-1)],
    ['p', focusPrompt],
    ['?', dialogs.help],
    ['Escape', () => openTaskId !== null && router.push('/')],
    ['g b', () => router.push('/')],
  ]);
}

function handle(event: KeyboardEvent, prefix: string, keys: Keys): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isModalOpen()) return false;
  if (isEditable(event.target)) {
    // Escape leaves the field first; pressed again it leaves the page.
    if (event.key === 'Escape') (event.target as HTMLElement).blur();
    return false;
  }
  const run = keys.get(prefix + event.key);
  if (!run) return false;
  event.preventDefault();
  run();
  return true;
}

/** Keyboard of the whole app; the help dialog lists it. */
export function Shortcuts({ onSearch }: { readonly onSearch: () => void }) {
  const keys = useKeys(onSearch);
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    let chordUntil = 0;
    const listener = (event: KeyboardEvent) => {
      const prefix = performance.now() < chordUntil ? 'g ' : '';
      chordUntil = 0;
      if (handle(event, prefix, latest.current) || isEditable(event.target)) return;
      if (event.key === 'g' && prefix === '') chordUntil = performance.now() + CHORD_MS;
    };
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
  return null;
}
