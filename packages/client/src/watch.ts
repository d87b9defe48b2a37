import { Batch } from './batch.ts';
import { type Connection, connectingNow } from './connection.ts';
import { type Following, follow, type StreamError, type StreamHandlers } from './follow.ts';
import { type ReadableStore, Store } from './store.ts';

/** A folded view, whether it is the present, and why it ended if the server refused it. */
export interface Watched<V> {
  readonly view: V;
  readonly connection: Connection;
  readonly error: StreamError | null;
}

/** A view that follows the server. */
export interface Watch<V> extends ReadableStore<Watched<V>> {
  /** The first value other than undefined that `find` returns, now or later. Rejects when the watch ends before. */
  until<T>(find: (watched: Watched<V>) => T | undefined): Promise<T>;
  /** Ends the stream. */
  stop(): void;
}

/** What a view is folded from. */
export interface Fold<V, E> {
  readonly empty: V;
  accept(view: V, events: readonly E[]): V;
  continues(view: V, event: E): boolean;
  /** True when the view found out that it missed something. */
  isBroken?(view: V): boolean;
  open(lastEventId: string | null, handlers: StreamHandlers<E>): { unsubscribe(): void };
}

/** Follows a stream into a view. `onEvent` hears every event as it came, before the view is told. */
export class FoldedWatch<V, E extends { readonly type: string }> implements Watch<V> {
  readonly #fold: Fold<V, E>;
  readonly #store: Store<Watched<V>>;
  readonly #batch: Batch<E>;
  readonly #onEvent: ((event: E) => void) | undefined;
  /** Set once the constructor is through; a stream never calls back before. */
  readonly #following: Following | undefined;
  #stopped = false;

  constructor(fold: Fold<V, E>, onEvent?: (event: E) => void) {
    this.#fold = fold;
    this.#onEvent = onEvent;
    this.#store = new Store<Watched<V>>({ view: fold.empty, connection: connectingNow(), error: null });
    this.#batch = new Batch((events) => this.#take(events));
    this.#following = follow<E>({
      open: (lastEventId, handlers) => fold.open(lastEventId, handlers),
      accept: (event) => this.#receive(event),
      connection: (connection) => this.#set({ connection }),
      failed: (error) => this.#set({ error }),
    });
  }

  readonly getSnapshot = (): Watched<V> => this.#store.getSnapshot();

  readonly subscribe = (listener: () => void): (() => void) => this.#store.subscribe(listener);

  /** Replaces the view by what `change` makes of it. */
  update(change: (view: V) => V): void {
    this.#batch.flush();
    this.#set({ view: change(this.getSnapshot().view) });
  }

  until<T>(find: (watched: Watched<V>) => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const watched = this.getSnapshot();
        const found = find(watched);
        if (found !== undefined) resolve(found);
        else if (watched.error !== null) reject(new Error(watched.error.message));
        else if (this.#stopped) reject(new Error('The watch was stopped before what was waited for came.'));
        else return;
        unsubscribe();
      };
      const unsubscribe = this.subscribe(look);
      look();
    });
  }

  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#following?.stop();
    this.#set({ connection: connectingNow() });
  }

  #receive(event: E): boolean {
    if (event.type === 'snapshot') this.#batch.flush();
    if (!this.#fold.continues(this.getSnapshot().view, event)) return false;
    this.#onEvent?.(event);
    this.#batch.add(event);
    // The first truth is shown at once, not with the next animation frame (W5).
    if (event.type === 'snapshot') this.#batch.flush();
    return true;
  }

  #take(events: readonly E[]): void {
    const { view } = this.getSnapshot();
    const next = this.#fold.accept(view, events);
    if (next === view) return;
    this.#set({ view: next });
    if (this.#fold.isBroken?.(next) === true) this.#following?.startAgain();
  }

  #set(change: Partial<Watched<V>>): void {
    this.#store.set({ ...this.#store.getSnapshot(), ...change });
  }
}
