import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import type { Database, OpenOptions } from '../database.ts';
import { openDatabase } from '../open-database.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from './postgres-server.ts';

/** Where `startTestPostgres` leaves the server's address for the processes that run the tests. */
const URL_VARIABLE = 'VIGIL_TEST_POSTGRES_URL';

const NOWHERE =
  'neither Postgres programs (looked in /usr/lib/postgresql and PATH) nor DATABASE_URL; install postgresql, or set it';

/** Why tests cannot run on Postgres here; null when they can. */
export function postgresIsMissing(): string | null {
  if (process.env[URL_VARIABLE] || process.env.DATABASE_URL || postgresPrograms() !== null) return null;
  return NOWHERE;
}

/**
 * Starts one server for a whole run of tests and answers how to stop it: vitest's `globalSetup`. Test files of a run
 * without it start one each.
 */
export async function startTestPostgres(): Promise<() => Promise<void>> {
  const programs = postgresPrograms();
  if (process.env[URL_VARIABLE] || programs === null) return async () => {};
  const server = await startPostgres(programs);
  process.env[URL_VARIABLE] = server.url;
  return async () => {
    delete process.env[URL_VARIABLE];
    await server.stop();
  };
}

/**
 * A server that nobody else uses, so that it may be killed; null where there are no Postgres programs, which in CI is a
 * failure: there everything must run.
 */
export async function ownTestPostgres(): Promise<PostgresServer | null> {
  const programs = postgresPrograms();
  if (programs !== null) return startPostgres(programs);
  if (process.env.CI) throw new Error('Expected Postgres programs in CI; looked in /usr/lib/postgresql and PATH.');
  return null;
}

/** The same for a test, which is skipped where there are no programs, and says so. */
export async function ownPostgresOf(context: { skip(why: string): never }): Promise<PostgresServer> {
  return (await ownTestPostgres()) ?? context.skip('there are no Postgres programs');
}

let ownServer: Promise<string> | null = null;

async function serverUrl(): Promise<string> {
  const running = process.env[URL_VARIABLE];
  if (running) return running;
  const programs = postgresPrograms();
  if (programs === null) {
    const given = process.env.DATABASE_URL;
    if (given) return given;
    throw new Error(`Expected a Postgres server to test on; found ${NOWHERE}.`);
  }
  // Not stopped here: it ends with this process.
  ownServer ??= startPostgres(programs).then((server) => server.url);
  return ownServer;
}

/** A new migrated database of its own on the test server, dropped when it is closed. */
export async function openTestPostgres(options: Pick<OpenOptions, 'onQuery'> = {}): Promise<Database> {
  const { url, drop } = await createTestPostgres();
  const database = await openDatabase({ ...options, url });
  await database.migrate();
  const close = async (withinMs?: number): Promise<void> => {
    await database.close(withinMs);
    await drop();
  };
  return { ...database, close };
}

/** A new and empty database on the test server. */
export async function createTestPostgres(): Promise<{ url: string; drop(): Promise<void> }> {
  const server = await serverUrl();
  const name = `vigil_test_${randomUUID().replaceAll('-', '')}`;
  await administer(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => administer(server, `drop database if exists ${name} with (force)`) };
}

async function administer(server: string, statement: string): Promise<void> {
  const sql = postgres(server, { max: 1, onnotice: () => {} });
  try {
    await sql.unsafe(statement);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
