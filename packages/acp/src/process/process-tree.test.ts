import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { endLeftover, ProcessTree, startTimeOf } from './process-tree.ts';

const started: ChildProcess[] = [];

/** A process that does not listen to SIGTERM, leads its own session and carries the mark. */
async function start(mark: string): Promise<{ readonly pid: number; readonly startTime: string }> {
  const code = "process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000)";
  const env = { ...process.env, AGENT_TREE_ID: mark };
  const child = spawn(process.execPath, ['-e', code], { detached: true, env, stdio: ['ignore', 'pipe', 'ignore'] });
  started.push(child);
  await once(child.stdout, 'data');
  const { pid = 0 } = child;
  return { pid, startTime: (await startTimeOf(pid)) ?? '' };
}

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

describe('ending a tree', () => {
  it('[S110] tells when a process could not be ended in time, and may be tried again', async () => {
    const agent = await start('mark-1');
    const tree = new ProcessTree({ ...agent, mark: 'mark-1' });

    await expect(tree.end({ close: 0, term: 0, kill: 0 })).rejects.toMatchObject({
      code: 'stop_failed',
      message: expect.stringContaining(`pid ${agent.pid}`),
    });
    await tree.end({ close: 0, term: 0, kill: 5_000 });

    expect(await startTimeOf(agent.pid)).toBeNull();
  });

  it('[S110] ends what carries its mark though nothing of its parentage is left', async () => {
    const orphan = await start('mark-2');
    const tree = new ProcessTree({ pid: 2 ** 22 + 1, startTime: '0', mark: 'mark-2' });

    await tree.end({ close: 0, term: 50, kill: 5_000 });

    expect(await startTimeOf(orphan.pid)).toBeNull();
  });

  it('[S141] never touches a stranger that got the number of an agent', async () => {
    const stranger = await start('mark-3');

    expect(await endLeftover({ pid: stranger.pid, startTime: '1' })).toBe(false);
    await new ProcessTree({ pid: stranger.pid, startTime: '1', mark: '' }).end({ close: 0, term: 50, kill: 50 });

    expect(await startTimeOf(stranger.pid)).toBe(stranger.startTime);
  });

  it('[S141] takes no group for its own whose leader is another now', async () => {
    const stranger = await start('other');
    const tree = new ProcessTree({ pid: stranger.pid, startTime: '1', mark: 'mark-4' });

    expect(await tree.alive()).toEqual([]);
  });
});
