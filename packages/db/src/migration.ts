import { sql } from 'drizzle-orm';
import type { Db } from './connection.ts';
import { DatabaseError } from './errors.ts';
import { asDatabaseError } from './failure.ts';
import { migrationsFolder, newestMigration } from './migrations-folder.ts';

/** Runs a driver's own migrator, and refuses a schema that is newer than this program. */
export async function migrateWith(db: Db, migrator: (folder: string) => Promise<void>): Promise<void> {
  const folder = migrationsFolder();
  try {
    await migrator(folder);
  } catch (thrown) {
    const error = asDatabaseError(thrown);
    if (error.code === 'database_unreachable' || error.code === 'disk_full') throw error;
    throw new DatabaseError(
      'migration_failed',
      `Expected the migrations in ${folder} to apply. Got: ${error.message}. Nothing was changed; restore a backup or report it.`,
      error.cause ?? error,
    );
  }
  const [row] = await db
    .select({ newest: sql<string | null>`max(created_at)::text` })
    .from(sql`drizzle.__drizzle_migrations`);
  const known = newestMigration(folder);
  if (Number(row?.newest ?? 0) <= known) return;
  throw new DatabaseError(
    'migration_failed',
    `Expected a schema of at most ${iso(known)}; the database has one of ${iso(Number(row?.newest))}, made by a newer Vigil. Start that one, or restore a backup of before.`,
  );
}

const iso = (ms: number): string => new Date(ms).toISOString();
