import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../src/index.ts';
import { template } from '../src/testing/template.ts';

const disk = mkdtempSync(join(tmpdir(), 'vigil-small-disk-'));

/** Why no small disk can be had here; null when it is mounted. */
function mountFailure(): string | null {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=140m', 'tmpfs', disk], { stdio: 'pipe' });
    return null;
  } catch {
    return 'this user may not mount a small disk';
  }
}

const missing = mountFailure();
afterAll(() => {
  if (missing === null) execFileSync('umount', ['-l', disk]);
  rmSync(disk, { recursive: true });
});

describe.skipIf(missing !== null)(missing === null ? 'a small disk' : `a small disk: SKIPPED, ${missing}`, () => {
  it('[S142] takes nothing before its log could hang for want of room, and goes on once there is some', async () => {
    const database = await openDatabase({ dataDir: disk, template: await template() });
    await database.tasks.create({ id: 't1', title: 'before' });
    writeFileSync(join(disk, 'filler'), Buffer.alloc(70 << 20));

    await expect(database.tasks.create({ id: 't2', title: 'full' })).rejects.toMatchObject({
      code: 'disk_full',
      message: expect.stringMatching(/at least 48 MiB free on the disk of .*; there are \d+/),
    });
    await expect(database.ping()).rejects.toMatchObject({ code: 'disk_full' });

    rmSync(join(disk, 'filler'));
    await database.tasks.create({ id: 't3', title: 'after' });
    expect((await database.tasks.list()).map((one) => one.id)).toEqual(['t1', 't3']);
    await database.close();
  });

  it('[S142] is no place to start on while it is full, which is said', async () => {
    writeFileSync(join(disk, 'filler'), Buffer.alloc(70 << 20));

    await expect(openDatabase({ dataDir: disk })).rejects.toMatchObject({ code: 'disk_full' });

    rmSync(join(disk, 'filler'));
    await (await openDatabase({ dataDir: disk })).close();
  });
});
