/** Something to read now and to be told about: fits React's `useSyncExternalStore`. */
export interface ReadableStore<T> {
  getSnapshot(): T;
  /** Returns the function that ends it. */
  subscribe(listener: () => void): () => void;
}

/** Holds one value; listeners are told of every replacement. */
export class Store<T> implements ReadableStore<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  readonly getSnapshot = (): T => this.#value;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of [...this.#listeners]) listener();
  }
}
