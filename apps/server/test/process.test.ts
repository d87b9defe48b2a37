import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVigilClient, watchActivity } from '@vigil/client';
import { ownPostgresOf } from '@vigil/db/testing';
import { afterEach, describe, expect, test } from 'vitest';
import { startServer } from './server-process.ts';

const fakeMain = fileURLToPath(new URL('./fake-main.ts', import.meta.url));
const headless = fileURLToPath(new URL('../src/headless.ts', import.meta.url));
const tsx = import.meta.resolve('tsx');
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

interface Started {
  readonly child: ChildProcess;
  readonly output: { stdout: string; stderr: string };
  readonly exit: Promise<number | null>;
}

interface Start {
  readonly args?: readonly string[];
  readonly entry?: string;
}

function start(env: Record<string, string>, { args = [], entry = fakeMain }: Start = {}): Started {
  const child = spawn(process.execPath, ['--import', tsx, entry, ...args], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', LOG_LEVEL: 'warn', PORT: '0', ...env },
  });
  children.push(child);
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  return { child, output, exit: once(child, 'exit').then(([code]) => code) };
}

async function ready({ child, output, exit }: Started): Promise<string> {
  const failed = exit.then((code) => Promise.reject(new Error(`ended with ${code}: ${output.stderr}`)));
  const found = (async () => {
    while (!output.stdout.includes('\n')) await Promise.race([once(child.stdout ?? child, 'data'), failed]);
    return /^Vigil is ready at (http:\S+) \(\d+ ms\)$/m.exec(output.stdout)?.[1];
  })();
  const url = await found;
  if (url === undefined) throw new Error(`expected the line that says ready, got ${output.stdout}`);
  failed.catch(() => {});
  return url;
}

describe('the process', () => {
  test('[contract] says where it is ready, and ends with 0 on a signal although a client watches', async () => {
    const started = start({});
    const url = await ready(started);
    const client = createVigilClient({ url });
    const watch = watchActivity(client);
    await watch.until(({ connection }) => connection.status === 'live' || undefined);
    started.child.kill('SIGTERM');
    expect(await started.exit).toBe(0);
    watch.stop();
    await client.close();
    expect(started.output.stdout.trim().split('\n')).toHaveLength(1);
  }, 60_000);

  test('[contract] a second signal ends it at once', async () => {
    const started = start({ FAKE_HANGS: '1', LOG_LEVEL: 'info' });
    await ready(started);
    started.child.kill('SIGTERM');
    while (!started.output.stderr.includes('stopping')) await once(started.child.stderr ?? started.child, 'data');
    started.child.kill('SIGINT');
    expect(await started.exit).toBe(1);
  }, 60_000);

  test('[contract] a port in use fails clearly', async () => {
    const other = createServer();
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { exit, output } = start({ PORT: String(port) });
    expect(await exit).toBe(1);
    other.close();
    expect(output.stderr).toContain(`expected port ${port} on 127.0.0.1 to be free`);
    expect(output.stderr).not.toContain('    at ');
  }, 60_000);

  test('[contract] wrong settings are told without a stack; help ends with 0', async () => {
    const wrong = start({ VIGIL_STAL_AFTER: '5m' });
    const help = start({}, { args: ['--help'] });
    expect(await wrong.exit).toBe(1);
    expect(wrong.output.stderr).toContain('Did you mean VIGIL_STALL_AFTER?');
    expect(wrong.output.stderr).not.toContain('    at ');
    expect(await help.exit).toBe(0);
    expect(help.output.stdout).toContain('--demo');
  }, 60_000);

  test('[contract] a data folder in use fails clearly and names the process', async () => {
    const first = await startServer();
    try {
      const second = start({ VIGIL_DATA_DIR: join(first.dataDir, 'data') }, { entry: headless });
      expect(await second.exit).toBe(1);
      expect(second.output.stderr).toContain(`process ${first.process.pid} uses it`);
      expect(second.output.stderr).toContain('VIGIL_DATA_DIR');
      expect(second.output.stderr).not.toContain('    at ');
    } finally {
      await first.stop();
    }
  }, 120_000);

  test('[contract, S141] a second server on one Postgres fails clearly and names the first', async (context) => {
    const postgres = await ownPostgresOf(context);
    const first = await startServer({ env: { DATABASE_URL: postgres.url } });
    try {
      const second = start({ DATABASE_URL: postgres.url }, { entry: headless });
      expect(await second.exit).toBe(1);
      expect(second.output.stderr).toMatch(
        new RegExp(
          `process ${first.process.pid} on host \\S+ \\(from 127\\.0\\.0\\.1\\) uses it since 20.*DATABASE_URL`,
        ),
      );
      expect(second.output.stderr).not.toContain('    at ');
      expect((await fetch(`${first.url}/api/ready`)).status).toBe(200);
    } finally {
      await first.stop();
      await postgres.stop();
    }
  }, 120_000);

  test('[S141, S142] a server whose Postgres was taken while it was away says so and stops', async (context) => {
    const postgres = await ownPostgresOf(context);
    const { url } = postgres;
    const first = start({ DATABASE_URL: url }, { entry: headless });
    await ready(first);
    await postgres.crash();
    // Away from its database, it cannot take it again before another has it.
    first.child.kill('SIGSTOP');
    await postgres.revive();
    const second = start({ DATABASE_URL: url }, { entry: headless });
    await ready(second);
    first.child.kill('SIGCONT');
    expect(await first.exit).toBe(1);
    expect(first.output.stderr).toMatch(new RegExp(`Vigil stops: .*process ${second.child.pid} on host .* uses it`));
    second.child.kill('SIGTERM');
    expect(await second.exit).toBe(0);
    await postgres.stop();
  }, 120_000);

  test('[contract] an agents file that does not fit fails clearly', async () => {
    const { exit, output } = start({ VIGIL_AGENTS_FILE: '/nowhere/agents.json' }, { entry: headless });
    expect(await exit).toBe(1);
    expect(output.stderr).toContain('Vigil does not start: /nowhere/agents.json');
  }, 60_000);
});
