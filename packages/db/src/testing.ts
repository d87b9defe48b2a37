import type { Database, OpenOptions } from './database.ts';
import { openDatabase } from './open-database.ts';
import { template } from './testing/template.ts';
import { openTestPostgres, postgresIsMissing } from './testing/test-postgres.ts';

export type { PostgresServer } from './testing/postgres-server.ts';
export { createTestPostgres, ownPostgresOf, ownTestPostgres, startTestPostgres } from './testing/test-postgres.ts';

/** One of the databases that every test of queries runs on. */
export interface TestDatabase {
  readonly kind: Database['kind'];
  /** Why it cannot run here; null when it can, and always in CI, where it fails instead. */
  readonly missing: string | null;
  /** A new, migrated and empty database that nobody else uses. Close it. */
  open(options?: Pick<OpenOptions, 'onQuery'>): Promise<Database>;
}

/** A new, migrated and empty database in memory. */
export async function openTestDatabase(options: Pick<OpenOptions, 'onQuery'> = {}): Promise<Database> {
  return openDatabase({ ...options, template: await template() });
}

/** Makes an empty database in a folder, which spares a server its slow first start there. */
export async function makeDataFolder(dataDir: string): Promise<void> {
  const database = await openDatabase({ dataDir, template: await template() });
  await database.close();
}

/** Both kinds, for `describe.each`. Postgres is a throwaway server from installed programs, or that of `DATABASE_URL`. */
export function openTestDatabases(): TestDatabase[] {
  const missing = process.env.CI ? null : postgresIsMissing();
  return [
    { kind: 'embedded', missing: null, open: openTestDatabase },
    { kind: 'postgres', missing, open: openTestPostgres },
  ];
}
