import { DatabaseError } from './errors.ts';
import { asDatabaseError } from './failure.ts';
import { within } from './within.ts';

const ANSWER_WITHIN_MS = 30_000;

/**
 * The one way to the database: names failures, gives up on calls that are not answered, and lets `close` wait for
 * those under way, because closing PGlite under a statement can block for good.
 */
export class Gate {
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #admit: () => Promise<void>;
  #closed = false;

  /** `admit` is awaited before each call, and its rejection is the call's. */
  constructor(admit: () => Promise<void>) {
    this.#admit = admit;
  }

  /** The same object with every method led through the gate. */
  guard<T extends object>(repository: T): T {
    return new Proxy(repository, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) => this.run(async () => Reflect.apply(member, target, args));
      },
    });
  }

  async run<T>(work: () => Promise<T>, withinMs = ANSWER_WITHIN_MS): Promise<T> {
    if (this.#closed) {
      throw new DatabaseError(
        'database_closed',
        'Expected an open database, but it was closed; do not use it any more.',
      );
    }
    const call = this.#admit().then(work);
    this.#underWay.add(call);
    const done = () => this.#underWay.delete(call);
    call.then(done, done);
    try {
      return await within(call, withinMs);
    } catch (error) {
      throw asDatabaseError(error);
    }
  }

  /** Refuses new calls and waits for those under way. False when this was done before. */
  async close(withinMs: number): Promise<boolean> {
    if (this.#closed) return false;
    this.#closed = true;
    await settled(Promise.allSettled(this.#underWay), withinMs);
    return true;
  }
}

/** Resolves with the work, or when the time is over. */
export async function settled(work: Promise<unknown>, ms: number): Promise<void> {
  await within(work, ms).catch(() => {});
}
