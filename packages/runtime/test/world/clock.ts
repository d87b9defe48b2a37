interface Timer {
  readonly id: number;
  readonly at: number;
  readonly every: number | null;
  readonly ring: () => void;
}

const START = Date.UTC(2026, 0, 1);

/**
 * The time of a world: it stands still until it is told to go on. While installed it takes the place of the timers of
 * the process; `setImmediate` stays real, so that what was promised can be waited for.
 */
export class FakeClock {
  #now = START;
  #nextId = 1;
  #timers = new Map<number, Timer>();
  readonly #real = {
    setTimeout: globalThis.setTimeout,
    clearTimeout: globalThis.clearTimeout,
    setInterval: globalThis.setInterval,
    clearInterval: globalThis.clearInterval,
  };

  get now(): number {
    return this.#now;
  }

  /** Timers that wait. */
  get waiting(): number {
    return this.#timers.size;
  }

  install(): void {
    const set = (repeats: boolean) => (ring: () => void, ms?: number) => this.#set(ring, ms ?? 0, repeats);
    const clear = (handle: unknown) => {
      if (typeof handle === 'object' && handle !== null && 'id' in handle) this.#timers.delete(Number(handle.id));
    };
    const fakes = { setTimeout: set(false), setInterval: set(true), clearTimeout: clear, clearInterval: clear };
    Object.assign(globalThis, fakes);
  }

  uninstall(): void {
    Object.assign(globalThis, this.#real);
  }

  /** What a killed process was waiting for never comes. */
  forgetAll(): void {
    this.#timers = new Map();
  }

  /** Lets time go on; each timer rings at its own time and may settle what follows from it before the next. */
  async advance(ms: number, settle: () => Promise<void>): Promise<void> {
    const until = this.#now + ms;
    for (let next = this.#first(until); next !== null; next = this.#first(until)) {
      this.#now = next.at;
      if (next.every === null) this.#timers.delete(next.id);
      else this.#timers.set(next.id, { ...next, at: next.at + next.every });
      next.ring();
      await settle();
    }
    this.#now = until;
  }

  #set(ring: () => void, ms: number, repeats: boolean) {
    const id = this.#nextId++;
    const wait = Math.max(1, ms);
    this.#timers.set(id, { id, at: this.#now + wait, every: repeats ? wait : null, ring });
    const handle = { id, unref: () => handle, ref: () => handle, hasRef: () => false, [Symbol.toPrimitive]: () => id };
    return handle;
  }

  #first(until: number): Timer | null {
    let first: Timer | null = null;
    for (const timer of this.#timers.values()) {
      if (timer.at <= until && (first === null || timer.at < first.at)) first = timer;
    }
    return first;
  }
}
