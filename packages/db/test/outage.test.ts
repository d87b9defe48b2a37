import { describe, expect, it } from 'vitest';
import { type Database, type MessageRow, openDatabase } from '../src/index.ts';
import { createTestPostgres } from '../src/testing/test-postgres.ts';
import { openTestDatabases } from '../src/testing.ts';
import { Line } from './line.ts';

const missing = openTestDatabases().find((one) => one.kind === 'postgres')?.missing ?? null;

const message = (sessionId: string, seq: number): MessageRow => ({
  ...{ sessionId, id: `m${seq}`, seq, kind: 'assistant', role: 'agent', payload: {} },
  createdAt: '2026-01-01T00:00:00.000Z',
});

/** Runs a test on a database at the end of a line, and takes both away after it. */
async function overLine(run: (database: Database, line: Line) => Promise<void>): Promise<void> {
  const { url, drop } = await createTestPostgres();
  const target = new URL(url);
  const line = new Line({ host: target.hostname, port: Number(target.port) });
  await line.open();
  target.port = String(line.port);
  const database = await openDatabase({ url: target.href });
  try {
    await database.migrate();
    await run(database, line);
  } finally {
    await database.close();
    await line.cut();
    await drop();
  }
}

describe.skipIf(missing !== null)(missing === null ? 'on postgres' : `on postgres: SKIPPED, found ${missing}`, () => {
  it('[S142] reports what a broken line lost and works again when it is back', () =>
    overLine(async (database, line) => {
      await database.tasks.create({ id: 't1', title: 'before' });
      await line.cut();
      const lost = database.tasks.update('t1', { title: 'lost' });
      await expect(lost).rejects.toMatchObject({ code: 'database_unreachable' });
      await expect(database.ping()).rejects.toMatchObject({ code: 'database_unreachable' });
      await line.open();
      await database.ping();
      expect(await database.tasks.get('t1')).toMatchObject({ title: 'before' });
    }));

  it('[S142] hard case 30: outlives a line that breaks within transactions, which fail and hang nobody', () =>
    overLine(async (database, line) => {
      for (const round of [1, 2, 3, 4, 5]) {
        const writes = Array.from({ length: 40 }, (_, seq) => database.messages.write([message(`${round}`, seq)]));
        await Promise.race(writes);
        await line.cut();
        for (const one of await Promise.allSettled(writes)) {
          if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'database_unreachable' });
        }
        await line.open();
      }
      await database.ping();
    }));

  it.each([
    ['silent', (line: Line) => line.silence()],
    ['cut', (line: Line) => line.cut()],
  ])(
    '[S142] hard case 30: closes within its time although a write was not awaited and the line is %s',
    (_name, breaks) =>
      overLine(async (database, line) => {
        // Every connection of the pool has a statement under way.
        const writes = Array.from({ length: 12 }, (_, seq) => database.messages.write([message('x', seq)]));
        await breaks(line);
        const late = database.tasks.create({ id: 't1', title: 'not awaited' });
        const over = Promise.allSettled([...writes, late]);
        const since = performance.now();
        await database.close(500);
        // Twice the time that was given, the release of the lock, and room for a busy machine.
        expect(performance.now() - since).toBeLessThan(4_000);
        await expect(database.ping()).rejects.toMatchObject({ code: 'database_closed' });
        await line.cut();
        for (const one of await over)
          if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'database_unreachable' });
      }),
  );
});
