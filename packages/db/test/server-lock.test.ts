import { hostname } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { type Database, type DatabaseError, openDatabase } from '../src/index.ts';
import { createTestPostgres } from '../src/testing/test-postgres.ts';
import { openTestDatabases } from '../src/testing.ts';
import { Line } from './line.ts';

const missing = openTestDatabases().find((one) => one.kind === 'postgres')?.missing ?? null;

describe.skipIf(missing !== null)(missing === null ? 'on postgres' : `on postgres: SKIPPED, found ${missing}`, () => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  async function world() {
    const { url, drop } = await createTestPostgres();
    ends.push(drop);
    const target = new URL(url);
    const line = new Line({ host: target.hostname, port: Number(target.port) });
    ends.push(() => line.cut());
    await line.open();
    target.port = String(line.port);
    return { url, line, throughLine: target.href };
  }

  async function open(url: string, onTaken?: (error: DatabaseError) => void): Promise<Database> {
    const database = await openDatabase({ url, onTaken });
    ends.push(() => database.close());
    return database;
  }

  it('[S141] refuses a second server, which is told who has the database and what to do', async () => {
    const { url } = await world();
    const first = await open(url);

    await expect(openDatabase({ url })).rejects.toMatchObject({
      code: 'database_in_use',
      message: expect.stringMatching(
        new RegExp(`process ${process.pid} on host ${hostname().slice(0, 20)}.* since 20\\d\\d-.*Z.*DATABASE_URL`),
      ),
    });

    await first.ping();
    await first.close();
    await (await open(url)).ping();
  });

  it('[S141, S142] takes the database again when the line was lost and is back', async () => {
    const { url, line, throughLine } = await world();
    const first = await open(throughLine);
    await line.cut();
    await expect(first.ping()).rejects.toMatchObject({ code: 'database_unreachable' });

    await line.open();
    await first.ping();

    await expect(openDatabase({ url })).rejects.toMatchObject({ code: 'database_in_use' });
  });

  it('[S141, S142] takes it again by itself, though nobody asks anything', async () => {
    const { url, line, throughLine } = await world();
    await open(throughLine);
    await line.cut();
    await line.open();

    await expect
      .poll(
        () =>
          openDatabase({ url }).then(
            (other) => other.close(),
            (error) => error.code,
          ),
        { timeout: 10_000 },
      )
      .toBe('database_in_use');
  });

  it('[S141] takes it from its own earlier line, which Postgres believes to be alive', async () => {
    const { url, line, throughLine } = await world();
    const first = await open(throughLine);
    const { made } = line;
    line.cutNear();
    await expect.poll(() => line.made, { timeout: 10_000 }).toBeGreaterThan(made);

    await first.ping();

    await expect(openDatabase({ url })).rejects.toMatchObject({ code: 'database_in_use' });
  });

  it('[S141] writes nothing any more, and says so once, when another took it meanwhile', async () => {
    const { url, line, throughLine } = await world();
    const said: DatabaseError[] = [];
    const first = await open(throughLine, (error) => said.push(error));
    await first.migrate();
    await line.cut();
    const second = await open(url);
    await line.open();

    for (const title of ['a', 'b']) {
      await expect(first.tasks.create({ id: title, title })).rejects.toMatchObject({ code: 'database_in_use' });
    }

    expect(said.map((one) => one.message)).toEqual([
      expect.stringMatching(`process ${process.pid} on host .*Nothing more is written here`),
    ]);
    expect(await second.tasks.list()).toEqual([]);
  });
});
