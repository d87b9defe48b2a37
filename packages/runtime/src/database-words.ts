import { DatabaseError } from '@vigil/db';

/** Why the database cannot be used, in words for people. */
export function outageOf(error: unknown): string {
  const isFull = error instanceof DatabaseError && error.code === 'disk_full';
  return isFull ? 'the disk of the database is full: nothing is saved' : 'the database does not answer';
}

/** Refused for what it says, not for when it was said: trying again cannot help. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false;
  return error.code === 'unknown_reference' || error.code === 'already_exists' || error.code === 'invariant_broken';
}
