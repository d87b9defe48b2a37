import { statfsSync } from 'node:fs';
import { DatabaseError } from './errors.ts';

/**
 * Kept free on the disk of an embedded database, in bytes. Its log grows by pieces of 16 MiB, and when there is no room
 * for the next one it hangs with the whole process, so it must never come to that.
 */
const RESERVE = 48 * 2 ** 20;

/** Fails while the disk of this folder is nearly full. */
export function requireSpace(folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  if (free >= RESERVE) return;
  const mib = (bytes: number): number => Math.floor(bytes / 2 ** 20);
  throw new DatabaseError(
    'disk_full',
    `Expected at least ${mib(RESERVE)} MiB free on the disk of ${folder}; there are ${mib(free)}. Nothing is saved until there is more: free some, and it goes on by itself.`,
  );
}
