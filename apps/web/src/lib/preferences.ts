'use client';

import { useCallback, useSyncExternalStore } from 'react';

/** Kept per browser. Without storage they last as long as the page. */
const DEFAULTS = { sidebar: true, details: true };

export type Preference = keyof typeof DEFAULTS;

const values: Partial<Record<Preference, boolean>> = {};
const listeners = new Set<() => void>();
const keyOf = (name: Preference) => `vigil.${name}`;

function stored(name: Preference): boolean {
  try {
    const text = localStorage.getItem(keyOf(name));
    return text === null ? DEFAULTS[name] : text === 'true';
  } catch {
    return DEFAULTS[name];
  }
}

export function readPreference(name: Preference): boolean {
  const value = values[name] ?? stored(name);
  values[name] = value;
  return value;
}

function write(name: Preference, value: boolean): void {
  values[name] = value;
  try {
    localStorage.setItem(keyOf(name), String(value));
  } catch {
    // Private windows may refuse.
  }
  for (const listener of [...listeners]) listener();
}

function subscribe(listener: () => void): () => void {
  const fromOtherTab = (event: StorageEvent) => {
    for (const name of Object.keys(DEFAULTS) as Preference[]) if (event.key === keyOf(name)) delete values[name];
    listener();
  };
  listeners.add(listener);
  window.addEventListener('storage', fromOtherTab);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', fromOtherTab);
  };
}

export function usePreference(name: Preference): readonly [boolean, (value: boolean) => void] {
  const value = useSyncExternalStore(
    subscribe,
    () => readPreference(name),
    () => DEFAULTS[name],
  );
  const set = useCallback((next: boolean) => write(name, next), [name]);
  return [value, set];
}
