/** Where work waits for a test to let it go on. */
export interface Gates {
  /** Resolves when the name is released or the signal aborts. A release that came first is used up by one wait. */
  wait(name: string, signal: AbortSignal): Promise<void>;
}

const REMEMBERED = 1000;

/** The gates of one process: releases wake every waiter of the name, or are remembered for the next one. */
export class LocalGates implements Gates {
  readonly #waiters = new Map<string, Set<() => void>>();
  readonly #released = new Set<string>();

  wait(name: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.#released.delete(name)) return Promise.resolve();
    return new Promise((resolve) => {
      const waiters = this.#waiters.get(name) ?? new Set();
      this.#waiters.set(name, waiters);
      const end = () => {
        waiters.delete(end);
        if (waiters.size === 0 && this.#waiters.get(name) === waiters) this.#waiters.delete(name);
        signal.removeEventListener('abort', end);
        resolve();
      };
      waiters.add(end);
      signal.addEventListener('abort', end, { once: true });
    });
  }

  /** Wakes the waiters of a name; returns how many there were. */
  wake(name: string): number {
    const waiters = [...(this.#waiters.get(name) ?? [])];
    for (const end of waiters) end();
    return waiters.length;
  }

  /** Wakes the waiters, or remembers the release when there are none. */
  release(name: string): number {
    const woken = this.wake(name);
    if (woken === 0 && this.#released.size < REMEMBERED) this.#released.add(name);
    return woken;
  }

  /** Names that something waits for, in order. */
  get waiting(): readonly string[] {
    return [...this.#waiters.keys()].sort();
  }

  /** Names released before anything waited for them. */
  get remembered(): readonly string[] {
    return [...this.#released].sort();
  }
}
