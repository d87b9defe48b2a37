import { DatabaseError } from './errors.ts';

/** The work's own end, or `database_unreachable` when that takes longer than `ms`. */
export function within<T>(work: Promise<T>, ms: number): Promise<T> {
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
