import { DatabaseError } from '@vigil/db';

/** How long a caller waits for the database to keep what it is promised, in ms. Then it is told that it was not kept. */
const ANSWER_WITHIN_MS = 4_000;

/** Calls that were given up while they were still out, by the error that told so. */
const stillOut = new WeakMap<object, Promise<unknown>>();

/** The end of what somebody waits for, or `database_unreachable` when that takes too long: a database may hang without a word. */
export function inTime<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const expected = `Expected an answer of the database within ${ANSWER_WITHIN_MS} ms; none came.`;
      reject(new DatabaseError('database_unreachable', expected));
    }, ANSWER_WITHIN_MS);
    timer.unref();
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * The same of a call that changes something. It may still be done after it was given up: whoever undoes it does so by
 * `onceOver` (S142).
 */
export async function promised<T>(call: Promise<T>): Promise<T> {
  let ended = false;
  const end = call.then(
    () => {
      ended = true;
    },
    () => {
      ended = true;
    },
  );
  try {
    return await inTime(call);
  } catch (error) {
    if (!ended && typeof error === 'object' && error !== null) stillOut.set(error, end);
    throw error;
  }
}

/**
 * Runs what undoes the call that failed with this error: at once, or, where it was given up while it was still out, when
 * it has ended. Nothing else waits for that.
 */
export function onceOver(error: unknown, undo: (gaveUp: boolean) => void): void {
  const call = typeof error === 'object' && error !== null ? stillOut.get(error) : undefined;
  if (call === undefined) undo(false);
  else void call.then(() => undo(true));
}
