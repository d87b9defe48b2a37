import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';
import type { Connection } from './connection.ts';
import type { OpenOptions } from './database.ts';
import { DatabaseError } from './errors.ts';
import { migrateWith } from './migration.ts';
import { ServerLock } from './server-lock.ts';

const STATEMENT_TIMEOUT_MS = 15_000;
const RECONNECT_AFTER_S = 0.25;
const CLOSE_WITHIN_S = 1;
/** The line of the lock is never renewed by itself: the lock would go with it. */
const LOCK_LINE = { max: 1, max_lifetime: null, connect_timeout: 5 } as const;
/** When the machine of an owner is gone without a word, Postgres finds out within a minute and gives the lock free. */
const LOCK_SESSION = { tcp_keepalives_idle: 20, tcp_keepalives_interval: 10, tcp_keepalives_count: 3 } as const;
/** Any number that nobody else uses: servers that boot at once migrate one after another. */
const MIGRATION_LOCK = 7_261_430_215;

/** Connects to a Postgres server and takes it for this process; fails when it is not there or another has it. */
export async function connectPostgres(
  url: string,
  { onQuery, onTaken }: Pick<OpenOptions, 'onQuery' | 'onTaken'>,
): Promise<Connection> {
  const lock = await ServerLock.take({
    connect: (name, onGone) =>
      client(url, { ...LOCK_LINE, onclose: onGone, connection: { ...LOCK_SESSION, application_name: name } }),
    onTaken: (error) => onTaken?.(error),
  });
  const sql = client(url, { max: 10, connection: { statement_timeout: STATEMENT_TIMEOUT_MS } });
  return {
    kind: 'postgres',
    db: drizzle(sql, onQuery ? { logger: { logQuery: onQuery } } : {}),
    usable: () => lock.held(),
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
    async close(withinMs) {
      // Whoever closes has waited for the statements under way; the driver waits for lines that are long dead too.
      await sql.end({ timeout: Math.min(CLOSE_WITHIN_S, withinMs / 1_000) });
      await lock.release();
    },
  };
}

type ClientOptions = Pick<
  postgres.Options<Record<string, never>>,
  'max' | 'max_lifetime' | 'connect_timeout' | 'onclose'
> & {
  readonly connection?: Record<string, string | number>;
};

function client(url: string, options: ClientOptions): postgres.Sql {
  try {
    return postgres(url, {
      connect_timeout: 10,
      ...options,
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
