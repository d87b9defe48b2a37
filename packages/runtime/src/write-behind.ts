import type { Log } from './deps.ts';

export interface WriteBehindOptions<V> {
  /** What is written, for reports. */
  readonly name: string;
  /** Writes a batch in order; a rejection makes the batch be tried again. */
  readonly write: (batch: readonly (readonly [string, V])[]) => Promise<void>;
  /** Least time between two writes, in ms. */
  readonly intervalMs: number;
  /** Keys that may wait; beyond it the oldest is given up and reported (S142). */
  readonly limit: number;
  readonly log: Log;
}

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5_000;
const BATCH = 200;

/**
 * Keyed values on their way to the database: newest value per key, in the order in which the keys came, retried until
 * they are written. The caller never waits (S142).
 */
export class WriteBehind<V> {
  readonly #options: WriteBehindOptions<V>;
  readonly #waiting = new Map<string, V>();
  /** Keys that are being written now. */
  #writing: ReadonlySet<string> = new Set();
  #turned: (() => void)[] = [];
  #running: Promise<void> | null = null;
  #failures = 0;
  #lost = 0;
  #hurry = false;
  #wake: (() => void) | null = null;

  constructor(options: WriteBehindOptions<V>) {
    this.#options = options;
  }

  /** Why writes are behind; null when they are not. */
  get trouble(): string | null {
    if (this.#lost > 0) return `${this.#lost} writes of ${this.#options.name} were given up`;
    return this.#failures > 0 ? `writes of ${this.#options.name} fail and are retried` : null;
  }

  /** Keys that wait or are being written. */
  get keys(): readonly string[] {
    return [...new Set([...this.#waiting.keys(), ...this.#writing])];
  }

  get idle(): boolean {
    return this.#waiting.size === 0 && this.#running === null;
  }

  put(key: string, value: V): void {
    this.#waiting.set(key, value);
    if (this.#waiting.size > this.#options.limit) this.#giveUpOldest();
    this.#running ??= this.#run();
  }

  /** Resolves when everything put so far was written; pauses are cut short. Does not resolve while writes fail. */
  async flush(): Promise<void> {
    this.#hurry = true;
    this.#wake?.();
    while (this.#running !== null) await this.#running;
    this.#hurry = false;
  }

  /** Resolves when nothing of this key waits or is being written. Does not resolve while writes fail. */
  async settled(key: string): Promise<void> {
    while (this.#waiting.has(key) || this.#writing.has(key)) {
      await new Promise<void>((resolve) => this.#turned.push(resolve));
    }
  }

  #giveUpOldest(): void {
    const oldest = this.#waiting.keys().next();
    if (oldest.done) return;
    this.#waiting.delete(oldest.value);
    this.#lost += 1;
    this.#options.log.error({ key: oldest.value, lost: this.#lost }, `gave up a write of ${this.#options.name}`);
  }

  async #run(): Promise<void> {
    // What is put in one synchronous step is written together.
    await Promise.resolve();
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting].slice(0, BATCH);
      for (const [key] of batch) this.#waiting.delete(key);
      this.#writing = new Set(batch.map(([key]) => key));
      const written = await this.#try(batch);
      if (!written) this.#putBack(batch);
      this.#writing = new Set();
      for (const turn of this.#turned.splice(0)) turn();
      const pause = written ? this.#options.intervalMs : this.#retryAfter();
      if (pause > 0 && !(written && this.#hurry)) await this.#pause(pause);
    }
    this.#running = null;
  }

  async #try(batch: readonly (readonly [string, V])[]): Promise<boolean> {
    try {
      await this.#options.write(batch);
      this.#failures = 0;
      return true;
    } catch (error) {
      this.#failures += 1;
      this.#options.log.error(
        { err: error, failures: this.#failures },
        `could not write ${this.#options.name}; retrying`,
      );
      return false;
    }
  }

  /** In front of what came meanwhile; a newer value of the same key wins but keeps the older place. */
  #putBack(batch: readonly (readonly [string, V])[]): void {
    const newer = new Map(this.#waiting);
    this.#waiting.clear();
    for (const [key, value] of [...batch, ...newer]) this.#waiting.set(key, value);
  }

  #retryAfter(): number {
    return Math.min(FIRST_RETRY_MS * 2 ** (this.#failures - 1), LAST_RETRY_MS);
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      timer.unref();
      const wake = done;
      this.#wake = wake;
      function done() {
        clearTimeout(timer);
        resolve();
      }
    });
  }
}
