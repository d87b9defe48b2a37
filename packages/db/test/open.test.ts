import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { DATABASE_ERROR_CODES, type Database, openDatabase } from '../src/index.ts';
import { migrationsFolder } from '../src/migrations-folder.ts';
import { template } from '../src/testing/template.ts';
import { openTestDatabases } from '../src/testing.ts';

const scratch = mkdtempSync(join(tmpdir(), 'vigil-db-test-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

for (const { kind, missing, open } of openTestDatabases()) {
  describe.skipIf(missing !== null)(missing === null ? `on ${kind}` : `on ${kind}: SKIPPED, found ${missing}`, () => {
    it('closes after the calls under way and refuses later ones', async () => {
      const database = await open();
      await database.ping();
      const underWay = Promise.all([1, 2, 3].map((n) => database.tasks.create({ id: `t${n}`, title: 'x' })));
      const closed = database.close();
      await expect(database.ping()).rejects.toMatchObject({ code: 'database_closed' });
      await expect(database.tasks.list()).rejects.toMatchObject({ code: 'database_closed' });
      expect(await underWay).toHaveLength(3);
      await closed;
      await database.close();
    });
  });
}

describe('a data folder', () => {
  it('is created, locked, kept, and free again after close', async () => {
    const dataDir = join(scratch, 'not', 'yet', 'there');
    const first = await openDatabase({ dataDir, template: await template() });
    await first.tasks.create({ id: 't1', title: 'kept' });
    symlinkSync(dataDir, join(scratch, 'alias'));
    const second = openDatabase({ dataDir: join(scratch, 'alias') });
    await expect(second).rejects.toMatchObject({
      code: 'data_folder_locked',
      message: expect.stringMatching(`${dataDir} .*process ${process.pid} `),
    });
    await first.close();
    const again = await openDatabase({ dataDir, template: await template() });
    await again.migrate();
    expect(await again.tasks.get('t1')).toMatchObject({ title: 'kept' });
    await again.close();
  });

  it('that cannot be made is named', async () => {
    writeFileSync(join(scratch, 'file'), '');
    const opened = openDatabase({ dataDir: join(scratch, 'file', 'below') });
    await expect(opened).rejects.toMatchObject({ code: 'data_folder_unusable' });
  });
});

describe('a server', () => {
  it('that does not answer is reported, without the password', async () => {
    const failure = await openDatabase({ url: 'postgres://ada:hunter2@127.0.0.1:1/none' }).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: 'database_unreachable', message: expect.stringContaining('ECONNREFUSED') });
    expect(String(failure)).not.toContain('hunter2');
  });

  it('with an address that is none is reported', async () => {
    const opened: Promise<Database> = openDatabase({ url: 'postgres://[' });
    await expect(opened).rejects.toMatchObject({ code: 'database_unreachable' });
  });
});

describe('the migrations', () => {
  it('are found from the sources, beside a bundle and beside its chunks', () => {
    const dist = join(scratch, 'server', 'dist');
    mkdirSync(join(dist, 'migrations', 'meta'), { recursive: true });
    writeFileSync(join(dist, 'migrations', 'meta', '_journal.json'), '{"entries":[]}');
    const from = (path: string) => migrationsFolder(pathToFileURL(join(dist, path)).href);
    expect(from('main.mjs')).toBe(join(dist, 'migrations'));
    expect(from('chunks/db.mjs')).toBe(join(dist, 'migrations'));
    expect(migrationsFolder()).toBe(join(import.meta.dirname, '..', 'migrations'));
  });

  it('are missed with the places that were looked in', () => {
    const from = pathToFileURL(join(scratch, 'bare', 'dist', 'main.mjs')).href;
    expect(() => migrationsFolder(from)).toThrow(join(scratch, 'bare', 'dist', 'migrations'));
  });
});

it('has distinct error codes', () => {
  expect(new Set(DATABASE_ERROR_CODES).size).toBe(DATABASE_ERROR_CODES.length);
});
