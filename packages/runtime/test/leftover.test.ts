import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { EXECUTION_MARK, processTable } from '@vigil/acp';
import type { ExecutionRow } from '@vigil/db';
import { afterEach, describe, expect, it } from 'vitest';
import { endLeftovers } from '../src/leftover.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** A process that carries the mark of an execution, and is not known by its pid. */
async function orphan(executionId: string): Promise<ChildProcess> {
  const env = { ...process.env, [EXECUTION_MARK]: executionId };
  const child = spawn('sh', ['-c', 'echo up; exec sleep 600'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  started.push(child);
  await once(child.stdout, 'data');
  return child;
}

const rowOf = (id: string): ExecutionRow => ({
  ...{ id, sessionId: `of-${id}`, pid: null, processStartTime: null, startedAt: '2026-01-01T00:00:00.000Z' },
  ...{ endedAt: null, cause: null, causeDetail: null },
});

describe('what earlier lives left behind', () => {
  it('[S141] is ended for 20 executions from shared readings of the processes, and a stranger lives on', async () => {
    const ids = Array.from({ length: 20 }, (_, n) => `left-${process.pid}-${n}`);
    const orphans = await Promise.all(ids.map(orphan));
    const stranger = await orphan(`stranger-${process.pid}`);
    const exits = orphans.map((one) => once(one, 'exit'));
    const before = processTable.readings;

    expect(await endLeftovers(ids.map(rowOf), log)).toEqual(new Set());

    // One to find them, and one for each look whether they are gone: never one for each execution and look.
    expect(processTable.readings - before).toBeLessThan(20 * 2);
    await Promise.all(exits);
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
  });
});
