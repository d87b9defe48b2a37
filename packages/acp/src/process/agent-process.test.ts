import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { AgentExit } from '../types.ts';
import { AgentProcess } from './agent-process.ts';
import { startTimeOf } from './process-tree.ts';

const started: AgentProcess[] = [];

/** Runs a script as an agent; `gone` resolves once its reader is told that it is. */
async function run(script: string): Promise<{
  readonly agent: AgentProcess;
  readonly lines: string[];
  readonly gone: Promise<AgentExit>;
}> {
  const lines: string[] = [];
  let tell: (exit: AgentExit) => void = () => undefined;
  const gone = new Promise<AgentExit>((resolve) => {
    tell = resolve;
  });
  const launch = {
    agentId: 'a',
    provider: 'generic',
    command: process.execPath,
    args: ['-e', script],
    env: {},
    cwd: '/',
  };
  const agent = await AgentProcess.start(launch, {
    line: (line) => lines.push(line),
    dropped: () => undefined,
    gone: tell,
  });
  started.push(agent);
  return { agent, lines, gone };
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((agent) => agent.close()));
});

describe('the two ends of an agent', () => {
  it('[S9] exit before the end of its output: what another still holds open is not waited for', async () => {
    const holder = "require('node:child_process').spawn('sleep', ['3'], { stdio: 'inherit', detached: true }).unref()";
    const { agent, lines, gone } = await run(`${holder}; console.log('last words'); process.exitCode = 3`);

    await expect(gone).resolves.toMatchObject({ code: 3, signal: null });
    expect(lines).toEqual(['last words']);
    expect(agent.write('{}')).toBe(false);
  });

  it('[S9] end of its output before its exit: it is gone, and is ended with its tree', async () => {
    const { agent, lines, gone } = await run(
      "console.log('last words'); require('node:fs').closeSync(1); process.stdin.resume()",
    );

    await expect(gone).resolves.toMatchObject({ code: null, signal: null });
    expect(lines).toEqual(['last words']);
    expect(await startTimeOf(agent.pid)).toBe(agent.startTime);

    await agent.close();
    expect(await startTimeOf(agent.pid)).toBeNull();
  });

  it('[S9] both at once: all that it wrote is read before it is gone, and it is told once', async () => {
    const { lines, gone } = await run("for (let n = 0; n < 20_000; n += 1) console.log('line ' + n)");

    await expect(gone).resolves.toMatchObject({ code: 0 });
    expect([lines.length, lines.at(-1)]).toEqual([20_000, 'line 19999']);
  });

  it('[S110] leads a process group of its own', async () => {
    const { agent } = await run('process.stdin.resume()');
    const stat = await readFile(`/proc/${agent.pid}/stat`, 'utf8');

    // After the name: state, parent, group.
    expect(Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2])).toBe(agent.pid);
  });
});
