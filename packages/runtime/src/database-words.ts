import { DatabaseError } from '@vigil/db';

/** Why the database cannot be used, in words for people. */
export function outageOf(error: unknown): string {
  const isFull = error instanceof DatabaseError && error.code === 'disk_full';
  return isFull ? 'the disk of the database is full: nothing is saved' : 'the database does not answer';
}

const OUTAGES: ReadonlySet<string> = new Set(['database_unreachable', 'disk_full', 'database_in_use']);

/** A broken line or a full disk says nothing of the write, also when the next one is taken (S142). */
export function isOutage(error: unknown): boolean {
  return error instanceof DatabaseError && OUTAGES.has(error.code);
}

/** Refused for what it says, not for when it was said: trying again cannot help. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false;
  return error.code === 'unknown_reference' || error.code === 'already_exists' || error.code === 'invariant_broken';
}
