import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseError } from './errors.ts';

/** Where a bundle, a chunk of one, and this source file find the migrations, each relative to itself. */
const PLACES = ['migrations', '../migrations', '../../migrations'];

/** The folder of the migrations, found from the sources as well as from a bundle that has a copy beside it. */
export function migrationsFolder(from: string = import.meta.url): string {
  const here = dirname(fileURLToPath(from));
  const folders = PLACES.map((place) => join(here, place));
  const found = folders.find((folder) => existsSync(journalOf(folder)));
  if (found !== undefined) return found;
  throw new DatabaseError(
    'migration_failed',
    `Expected the migrations in one of ${folders.join(', ')}; found none. Build again, or copy packages/db/migrations there.`,
  );
}

/** When the newest migration of the folder was made, in ms since 1970: drizzle's own order of migrations. */
export function newestMigration(folder: string): number {
  const journal: unknown = JSON.parse(readFileSync(journalOf(folder), 'utf8'));
  const { entries } = journal as { readonly entries: readonly { readonly when: number }[] };
  return Math.max(0, ...entries.map((entry) => entry.when));
}

const journalOf = (folder: string): string => join(folder, 'meta', '_journal.json');
