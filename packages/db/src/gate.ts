import { DatabaseError } from './errors.ts';
import { asDatabaseError } from './failure.ts';

const ANSWER_WITHIN_MS = 30_000;
const CLOSE_WITHIN_MS = 5_000;

/**
 * The one way to the database: names failures, gives up on calls that are not answered, and lets `close` wait for
 * those under way, because closing PGlite under a statement can block for good.
 */
export class Gate {
  readonly #underWay = new Set<Promise<unknown>>();
  #closed = false;

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
    const call = work();
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
  async close(): Promise<boolean> {
    if (this.#closed) return false;
    this.#closed = true;
    await settled(Promise.allSettled(this.#underWay), CLOSE_WITHIN_MS);
    return true;
  }
}

/** Resolves with the work, or when the time is over. */
export async function settled(work: Promise<unknown>, ms: number): Promise<void> {
  await within(work, ms).catch(() => {});
}

function within<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(
        new DatabaseError('database_unreachable', `Expected an answer of the database within ${ms} ms; none came.`),
      );
    }, ms);
    timer.unref();
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
