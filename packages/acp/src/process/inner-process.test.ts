import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { InnerProcessWatch, isClaude } from './inner-process.ts';

const CLAUDE = ['--input-format', 'stream-json'];
const started: { kill(signal: 'SIGKILL'): boolean }[] = [];

function start(): number {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', '--', ...CLAUDE], { stdio: 'ignore' });
  started.push(child);
  if (child.pid === undefined) throw new Error('expected a process, it was not started');
  return child.pid;
}

function watch(members: () => readonly number[]) {
  let gone = 0;
  const made = new InnerProcessWatch({
    members: async () => members(),
    isIt: isClaude,
    gone: () => {
      gone += 1;
    },
    everyMs: 20,
  });
  made.start();
  return { made, gone: () => gone };
}

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

describe('the process behind a bridge', () => {
  it('[S9] is gone once it died, and is told once', async () => {
    const pid = start();
    const { gone } = watch(() => [pid]);
    await pause(400);
    expect(gone()).toBe(0);

    process.kill(pid, 'SIGKILL');
    await pause(400);

    expect(gone()).toBe(1);
  });

  it('[S9] is not gone when another took its place', async () => {
    const [first, second] = [start(), start()];
    const { gone, made } = watch(() => [first, second]);
    await pause(400);

    process.kill(first, 'SIGKILL');
    await pause(400);

    expect(gone()).toBe(0);
    made.stop();
  });

  it('[S9] is not missed where it was never seen, nor after the watch was stopped', async () => {
    const pid = start();
    const never = watch(() => [process.pid]);
    const stopped = watch(() => [pid]);
    await pause(400);
    stopped.made.stop();

    process.kill(pid, 'SIGKILL');
    await pause(200);

    expect([never.gone(), stopped.gone()]).toEqual([0, 0]);
    never.made.stop();
  });

  it('[S23] is no shell whose command only speaks of it', () => {
    expect(isClaude(['/bin/claude', '--output-format', 'stream-json', ...CLAUDE])).toBe(true);
    expect(isClaude(['/bin/bash', '-c', 'claude --input-format stream-json'])).toBe(false);
    expect(isClaude([''])).toBe(false);
  });
});
