import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { InnerProcessWatch, isClaude } from './inner-process.ts';

const CLAUDE = ['--input-format', 'stream-json'];
const started: ChildProcess[] = [];

function start(): ChildProcess & { readonly pid: number } {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', '--', ...CLAUDE], { stdio: 'ignore' });
  started.push(child);
  if (child.pid === undefined) throw new Error('expected a process, it was not started');
  return child as ChildProcess & { readonly pid: number };
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

function watch(members: () => readonly number[]) {
  const [gone, found] = [vi.fn(), vi.fn()];
  const searched = vi.fn(async () => members());
  const made = new InnerProcessWatch({ members: searched, isIt: isClaude, gone, found, everyMs: 5 });
  made.start();
  return {
    made,
    gone,
    isFound: () => expect.poll(() => found.mock.calls.length, WITHIN).toBe(1),
    isGone: () => expect.poll(() => gone.mock.calls.length, WITHIN).toBe(1),
    /** A search that begins after this call is over. */
    searchesAgain: async () => {
      const before = searched.mock.calls.length;
      await expect.poll(() => searched.mock.calls.length, WITHIN).toBeGreaterThan(before + 1);
    },
    searches: () => searched.mock.calls.length,
  };
}

const WITHIN = { timeout: 8_000, interval: 5 };

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

describe('the process behind a bridge', () => {
  it('[S9] is gone once it died, and is told once', async () => {
    const child = start();
    const { gone, isFound, isGone, searches } = watch(() => [child.pid]);
    await isFound();
    expect(gone).not.toHaveBeenCalled();

    await kill(child);
    await isGone();
    const then = searches();

    const other = watch(() => [process.pid]);
    await other.searchesAgain();
    other.made.stop();
    expect([gone.mock.calls.length, searches()]).toEqual([1, then]);
  });

  it('[S9] is not gone when another took its place', async () => {
    const [first, second] = [start(), start()];
    const { gone, isFound, isGone, searches } = watch(() => [first.pid, second.pid]);
    await isFound();
    const before = searches();

    await kill(first);
    await expect.poll(searches, WITHIN).toBeGreaterThan(before);
    expect(gone).not.toHaveBeenCalled();

    await kill(second);
    await isGone();
  });

  it('[S9] is not missed where it was never seen, nor after the watch was stopped', async () => {
    const child = start();
    const never = watch(() => [process.pid]);
    const stopped = watch(() => [child.pid]);
    await stopped.isFound();
    stopped.made.stop();

    await kill(child);
    await never.searchesAgain();
    never.made.stop();

    expect([never.gone.mock.calls.length, stopped.gone.mock.calls.length]).toEqual([0, 0]);
  });

  it('[S23] is no shell whose command only speaks of it', () => {
    expect(isClaude(['/bin/claude', '--output-format', 'stream-json', ...CLAUDE])).toBe(true);
    expect(isClaude(['/bin/bash', '-c', 'claude --input-format stream-json'])).toBe(false);
    expect(isClaude([''])).toBe(false);
  });
});
