import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';
import type { Connection } from './connection.ts';
import type { OpenOptions } from './database.ts';
import { DatabaseError } from './errors.ts';
import { migrateWith } from './migration.ts';

const STATEMENT_TIMEOUT_MS = 15_000;
const RECONNECT_AFTER_S = 0.25;
/** Any number that nobody else uses: servers that boot at once migrate one after another. */
const MIGRATION_LOCK = 7_261_430_215;

/** Connects to a Postgres server lazily; the first statement tells whether it is there. */
export function connectPostgres(url: string, onQuery: OpenOptions['onQuery']): Connection {
  const sql = client(url, { max: 10, connection: { statement_timeout: STATEMENT_TIMEOUT_MS } });
  return {
    kind: 'postgres',
    db: drizzle(sql, onQuery ? { logger: { logQuery: onQuery } } : {}),
    async migrate() {
      const one = client(url, { max: 1 });
      try {
        const db = drizzle(one);
        await migrateWith(db, async (folder) => {
          await one`select pg_advisory_lock(${MIGRATION_LOCK}::bigint)`;
          await migrate(db, { migrationsFolder: folder });
        });
      } finally {
        await one.end({ timeout: 5 });
      }
    },
    close: () => sql.end({ timeout: 5 }),
  };
}

function client(url: string, options: { max: number; connection?: { statement_timeout: number } }): postgres.Sql {
  try {
    return postgres(url, {
      ...options,
      connect_timeout: 10,
      // By itself it would wait up to 20 s between two tries, with whoever asks meanwhile.
      backoff: () => RECONNECT_AFTER_S,
      onnotice: () => {},
      // Asked on each new connection by nobody who would hear it fail: a broken line would end the process.
      fetch_types: false,
      connection: { application_name: 'vigil', TimeZone: 'UTC', ...options.connection },
    });
  } catch (cause) {
    throw new DatabaseError(
      'database_unreachable',
      'Expected DATABASE_URL to be like postgres://user:password@host:5432/name; it cannot be read as an address.',
      cause,
    );
  }
}
