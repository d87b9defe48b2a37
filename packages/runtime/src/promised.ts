import { DatabaseError } from '@vigil/db';

/** How long a caller waits for the database to keep what it is promised, in ms. Then it is told that it was not kept. */
const ANSWER_WITHIN_MS = 4_000;

/** Calls that were given up while they were still out, by the error that told so. */
const stillOut = new WeakMap<object, Promise<unknown>>();

/**
 * The call's own end, or `database_unreachable` when somebody waits too long for it: a database may hang without a word.
 * The call may still be done later; whoever undoes it waits for `isOver` first (S142).
 */
export function promised<T>(call: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const error = new DatabaseError(
        'database_unreachable',
        `Expected an answer of the database within ${ANSWER_WITHIN_MS} ms; none came.`,
      );
      stillOut.set(
        error,
        call.catch(() => undefined),
      );
      reject(error);
    }, ANSWER_WITHIN_MS);
    timer.unref();
    call.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Waits until the call that failed with this error has ended; true when it was given up before that. */
export async function isOver(error: unknown): Promise<boolean> {
  const call = typeof error === 'object' && error !== null ? stillOut.get(error) : undefined;
  await call;
  return call !== undefined;
}
