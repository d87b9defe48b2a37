import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { Connection } from '../src/connection.ts';
import { connectEmbedded } from '../src/embedded-connection.ts';
import { connectPostgres } from '../src/postgres-connection.ts';
import { template } from '../src/testing/template.ts';
import { createTestPostgres } from '../src/testing/test-postgres.ts';
import { openTestDatabases } from '../src/testing.ts';

/** Words that name a live reading or part of one: no column may have any of them in its name (S140). */
const LIVE_WORDS = [
  ...['tier', 'foreground', 'background', 'activity', 'active', 'subagent', 'subagents', 'count', 'counts'],
  ...['claim', 'claimed', 'claims', 'generation', 'generations', 'epoch', 'revision', 'registration', 'registrations'],
  ...['workload', 'workloads', 'roster', 'liveness', 'live', 'held', 'yielded', 'generating', 'policy', 'attestation'],
  ...['settling', 'follow', 'followup', 'tool', 'tools', 'wake', 'detached'],
];
/** Columns that are allowed in spite of their name, with the reason. None. */
const ALLOWED: Readonly<Record<string, string>> = {};

const isLive = (name: string): boolean =>
  name
    .toLowerCase()
    .split('_')
    .some((word) => LIVE_WORDS.includes(word));

async function columnsOf({ db }: Connection): Promise<{ table: string; column: string }[]> {
  return db
    .select({ table: sql<string>`table_name::text`, column: sql<string>`column_name::text` })
    .from(sql`information_schema.columns`)
    .where(sql`table_schema = 'public'`);
}

/** A migrated connection, for statements that no repository offers. */
async function connect(kind: 'embedded' | 'postgres'): Promise<{ connection: Connection; end(): Promise<void> }> {
  if (kind === 'embedded') {
    const connection = await connectEmbedded({ template: await template() });
    return { connection, end: () => connection.close(5_000) };
  }
  const { url, drop } = await createTestPostgres();
  const connection = await connectPostgres(url, {});
  return { connection, end: () => connection.close(5_000).then(drop) };
}

for (const { kind, missing } of openTestDatabases()) {
  describe.skipIf(missing !== null)(missing === null ? `on ${kind}` : `on ${kind}: SKIPPED, found ${missing}`, () => {
    it('[S140] has the durable tables and no column for a live reading', async () => {
      const { connection, end } = await connect(kind);
      try {
        await connection.migrate();
        const columns = await columnsOf(connection);
        const tables = [...new Set(columns.map((one) => one.table))].sort();
        expect(tables).toEqual([
          ...['executions', 'feature_overrides', 'messages', 'pending_requests', 'prompts', 'sessions', 'settings'],
          ...['task_dependencies', 'tasks', 'tokens', 'transitions', 'users'],
        ]);
        const names = columns.map((one) => `${one.table}.${one.column}`);
        expect(names.filter((name) => !(name in ALLOWED) && name.split('.').some(isLive))).toEqual([]);
      } finally {
        await end();
      }
    });

    it('migrates again without effect, and refuses the schema of a newer Vigil', async () => {
      const { connection, end } = await connect(kind);
      try {
        await Promise.all([connection.migrate(), kind === 'postgres' ? connection.migrate() : null]);
        await connection.migrate();
        await connection.db.execute(
          sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', 4102444800000)`,
        );
        await expect(connection.migrate()).rejects.toMatchObject({
          code: 'migration_failed',
          message: expect.stringContaining('2100-01-01'),
        });
      } finally {
        await end();
      }
    });
  });
}

it('[S140] knows the names of live readings', () => {
  const planted = ['foreground_activity', 'active_subagent_count', 'prompt_generation', 'claim_token', 'tier', 'epoch'];
  expect(planted.filter((name) => !isLive(name))).toEqual([]);
  expect(isLive('discount_account')).toBe(false);
});
