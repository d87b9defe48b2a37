/** Most keys that may wait for one subscriber before it is closed (S103). */
export const KEY_LIMIT = 10_000;

/** One reader's view of an outbox. It pulls: nothing here waits for it. */
export interface Subscription<E> {
  /** Why it was closed; null while it is open. */
  readonly closed: string | null;
  /** What waits, oldest change first, at most one value a key. */
  pending(): IterableIterator<readonly [key: string, event: E]>;
  /** This very value was delivered. A newer one of its key, pushed meanwhile, keeps waiting (S104). */
  delivered(key: string, event: E): void;
  close(): void;
}

interface Mailbox<E> extends Subscription<E> {
  /** True when its subscriber is to be told. */
  put(key: string, event: E): boolean;
  tell(): void;
  drop(keys: Iterable<string>): void;
  shut(reason: string): void;
}

/**
 * Publications on their way to subscribers. A push reaches each mailbox at once and never waits (S103); a slow reader
 * finds the latest value per key (conflation), in order of change. A value stays until it was delivered, so a delivery
 * that failed is made good by the next (S104).
 */
export class Outbox<E> {
  readonly #mailboxes = new Set<Mailbox<E>>();

  get size(): number {
    return this.#mailboxes.size;
  }

  /** Publishes the value of a key. `supersedes`: keys whose waiting values it makes void, as a deletion does (S105). */
  push(key: string, event: E, supersedes: Iterable<string> = []): void {
    const voided = [...supersedes];
    const told = [...this.#mailboxes].filter((mailbox) => {
      mailbox.drop(voided);
      return mailbox.put(key, event);
    });
    // Only once all have it: what a subscriber pushes in answer comes after it in every mailbox (S102).
    for (const mailbox of told) mailbox.tell();
  }

  /** `onReady` is told when something waits after nothing did, or after it threw, and when the subscription was closed. */
  subscribe(onReady: () => void, limit: number = KEY_LIMIT): Subscription<E> {
    const mailbox = newMailbox<E>(onReady, { limit, left: () => this.#mailboxes.delete(mailbox) });
    this.#mailboxes.add(mailbox);
    return mailbox;
  }

  /** Closes every subscription with a reason. */
  close(reason: string): void {
    for (const mailbox of [...this.#mailboxes]) mailbox.shut(reason);
  }
}

function newMailbox<E>(onReady: () => void, options: { limit: number; left: () => void }): Mailbox<E> {
  const waiting = new Map<string, E>();
  let closed: string | null = null;
  const shut = (reason: string) => {
    if (closed !== null) return false;
    closed = reason;
    waiting.clear();
    options.left();
    return true;
  };
  let deaf = false;
  const tell = () => {
    deaf = !hears(onReady);
  };
  return {
    get closed() {
      return closed;
    },
    pending: () => waiting.entries(),
    delivered(key, event) {
      if (waiting.get(key) === event) waiting.delete(key);
    },
    close: () => {
      if (shut('closed')) tell();
    },
    put(key, event) {
      if (closed !== null) return false;
      const due = waiting.size === 0 || deaf;
      waiting.delete(key);
      waiting.set(key, event);
      return waiting.size > options.limit ? shut(`more than ${options.limit} keys waited for this subscriber`) : due;
    },
    tell,
    drop(keys) {
      for (const key of keys) waiting.delete(key);
    },
    shut(reason) {
      if (shut(reason)) tell();
    },
  };
}

/** A failing subscriber blocks nobody (S103): what it throws is its own, and it is told again with the next push (S104). */
function hears(onReady: () => void): boolean {
  try {
    onReady();
    return true;
  } catch {
    return false;
  }
}
