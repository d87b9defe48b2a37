import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { lockFolder } from '../src/lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'vigil-lock-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const LOCK = new URL('../src/lock.ts', import.meta.url).href;
const OWN = `import { lockFolder } from ${JSON.stringify(LOCK)};
await lockFolder(${JSON.stringify(folder)});
process.stdout.write('locked');
setInterval(() => {}, 60_000);`;

it('is refused with the owner named, and free as soon as the owner is killed', async () => {
  const owner = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', OWN], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(owner.stdout, 'data');
  await expect(lockFolder(folder)).rejects.toMatchObject({
    code: 'data_folder_locked',
    message: expect.stringMatching(`${realpathSync(folder)} .*process ${owner.pid} `),
  });
  const gone = once(owner, 'exit');
  owner.kill('SIGKILL');
  await gone;
  const lock = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toThrow(`process ${process.pid} `);
  await lock.release();
  await (await lockFolder(folder)).release();
});
