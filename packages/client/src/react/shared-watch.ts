import type { ReadableStore } from '../store.ts';
import type { Watch, Watched } from '../watch.ts';

/** How long a watch outlives its last reader, so that moving between pages does not reopen it, in ms. */
const LINGER_MS = 2_000;

/** One watch for all readers: begins with the first, ends a little after the last. Rendering on a server opens none. */
export class SharedWatch<V, W extends Watch<V> = Watch<V>> implements ReadableStore<Watched<V>> {
  readonly #start: () => W;
  readonly #idle: Watched<V>;
  #watch: W | undefined;
  #readers = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(start: () => W, idle: Watched<V>) {
    this.#start = start;
    this.#idle = idle;
  }

  /** The running watch; undefined before the first reader and after the last. */
  get watch(): W | undefined {
    return this.#watch;
  }

  readonly getSnapshot = (): Watched<V> => this.#watch?.getSnapshot() ?? this.#idle;

  /** What a server renders. */
  readonly getServerSnapshot = (): Watched<V> => this.#idle;

  readonly subscribe = (listener: () => void): (() => void) => {
    clearTimeout(this.#timer);
    this.#readers += 1;
    this.#watch ??= this.#start();
    const unsubscribe = this.#watch.subscribe(listener);
    return () => {
      unsubscribe();
      this.#readers -= 1;
      if (this.#readers === 0) this.#timer = setTimeout(() => this.#stop(), LINGER_MS);
    };
  };

  #stop(): void {
    this.#watch?.stop();
    this.#watch = undefined;
  }
}
