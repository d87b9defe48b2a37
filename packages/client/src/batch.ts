/** A hidden page gets no animation frames; then this is how long a change may wait, in ms. */
const HIDDEN_PAGE_MS = 100;

/** Collects items and hands them over together: once a frame in a browser, at once elsewhere. */
export class Batch<T> {
  #items: T[] = [];
  #scheduled = false;
  readonly #flush: (items: readonly T[]) => void;

  constructor(flush: (items: readonly T[]) => void) {
    this.#flush = flush;
  }

  get pending(): readonly T[] {
    return this.#items;
  }

  add(item: T): void {
    this.#items.push(item);
    if (this.#scheduled) return;
    this.#scheduled = true;
    soon(() => this.flush());
  }

  flush(): void {
    this.#scheduled = false;
    const items = this.#items;
    this.#items = [];
    if (items.length > 0) this.#flush(items);
  }
}

function soon(run: () => void): void {
  if (typeof requestAnimationFrame !== 'function') {
    queueMicrotask(run);
    return;
  }
  let ran = false;
  const once = () => {
    if (!ran) run();
    ran = true;
  };
  requestAnimationFrame(once);
  setTimeout(once, HIDDEN_PAGE_MS);
}
