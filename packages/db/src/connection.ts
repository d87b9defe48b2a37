import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';

/** The query builder, whatever the driver. Nothing outside this package sees it. */
export type Db = PgDatabase<PgQueryResultHKT, Record<string, never>>;

/** What differs between the drivers. */
export interface Connection {
  readonly kind: 'embedded' | 'postgres';
  readonly db: Db;
  /** Resolves while this process may use the database: it owns it, and there is room. Nothing is asked of it before. */
  usable(): Promise<void>;
  migrate(): Promise<void>;
  /** Called once, when no statement is under way any more or the wait for it is over. */
  close(withinMs: number): Promise<void>;
}
