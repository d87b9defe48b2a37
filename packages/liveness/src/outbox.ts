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
  put(key: string, event: E): void;
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
    for (const mailbox of [...this.#mailboxes]) {
      mailbox.drop(voided);
      mailbox.put(key, event);
    }
  }

  /** `onReady` is told when something waits after nothing did, and when the subscription was closed. */
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
    if (closed !== null) return;
    closed = reason;
    waiting.clear();
    options.left();
    ready(onReady);
  };
  return {
    get closed() {
      return closed;
    },
    pending: () => waiting.entries(),
    delivered(key, event) {
      if (waiting.get(key) === event) waiting.delete(key);
    },
    close: () => shut('closed'),
    put(key, event) {
      if (closed !== null) return;
      const first = waiting.size === 0;
      waiting.delete(key);
      waiting.set(key, event);
      if (waiting.size > options.limit) shut(`more than ${options.limit} keys waited for this subscriber`);
      else if (first) ready(onReady);
    },
    drop(keys) {
      for (const key of keys) waiting.delete(key);
    },
    shut,
  };
}

/** A failing subscriber blocks nobody (S103): what it throws is its own. */
function ready(onReady: () => void): void {
  try {
    onReady();
  } catch {
    // Its value stays in the mailbox and is delivered with the next.
  }
}
