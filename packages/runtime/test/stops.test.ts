import { existsSync } from 'node:fs';
import { openTestDatabase } from '@vigil/db/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bench, startBench } from './bench.ts';
import { eventually } from './settle.ts';

// The three stops of S131 with real agents: the turn, one item of work, everything.

const database = await openTestDatabase();
let bench: Bench;

beforeAll(async () => {
  bench = await startBench({ database });
});

afterAll(async () => {
  await bench.close();
});

const submit = (sessionId: string, text: string, origin?: 'wakeup') =>
  bench.vigil.submit({ sessionId, text, clientKey: text, ...(origin && { origin }) });

/** A session whose turn has launched this work and is over. */
async function withWork(agentId: string, ...work: readonly string[]) {
  const { id } = await bench.session(agentId);
  await submit(id, work.map((one) => `/${one} until released`).join('\n'));
  const shown = await bench.until(
    id,
    (one) => one.state === 'waiting_for_input' && one.workloads.length === work.length,
  );
  return { id, shown };
}

describe('stopping one item of work', () => {
  test('[S131] ends that item, and neither its neighbour nor the turn at work', async () => {
    const { id } = await withWork('mock-v2', 'shell one', 'subagent two');
    await submit(id, '/wait until released stops-turn');
    const { workloads, generation } = await bench.until(id, 'running');
    const shell = workloads.find((one) => one.kind === 'shell');
    expect(shell).toMatchObject({ label: 'one', stoppable: true });
    const workload = { sessionId: id, workloadId: shell?.id ?? '' };

    expect(await bench.vigil.stopWorkload(workload)).toEqual({ stopped: true, reason: null });
    const after = await bench.until(id, (one) => one.workloads.length === 1);
    expect(after).toMatchObject({ generation, state: 'running', workloads: [{ kind: 'subagent' }] });
    await expect(bench.vigil.stopWorkload(workload)).rejects.toMatchObject({ code: 'not_found' });
    await bench.release('stops-turn');
    await bench.until(id, (one) => one.state === 'waiting_for_input' && one.activeSubagentCount === 1);
    await bench.vigil.stopAll(id);
  });

  test('[S131] says so where the agent offers no way, and the work is still there', async () => {
    const { id, shown } = await withWork('mock', 'shell one');
    const [shell] = shown.workloads;
    expect(shell?.stoppable).toBe(false);
    const answer = await bench.vigil.stopWorkload({ sessionId: id, workloadId: shell?.id ?? '' });

    expect(answer).toEqual({ stopped: false, reason: expect.stringContaining('no way to stop') });
    expect((await bench.vigil.getSession(id)).session.workloads).toHaveLength(1);
    await bench.vigil.stopAll(id);
  });
});

describe('stopping everything', () => {
  test.each(['mock', 'mock-v2', 'mock-hermes'])(
    '[S131, S61] ends turn, work and process of %s; no wake starts after it',
    async (agentId) => {
      const { id } = await withWork(agentId, `shell ${agentId}`);
      await submit(id, '/wait until released never');
      await bench.until(id, 'running');
      await submit(id, '/say human');
      await submit(id, '/say wake', 'wakeup');
      const [row] = (await database.executions.open()).filter((one) => one.sessionId === id);
      expect(existsSync(`/proc/${row?.pid}`)).toBe(true);
      const before = (await bench.vigil.getSession(id)).messages.length;

      const stopped = await bench.vigil.stopAll(id);
      expect(stopped).toMatchObject({ state: 'idle', executionId: null, foregroundActivity: null, workloads: [] });
      expect(stopped).toMatchObject({ awaitingFollowUp: false, autoRun: false, queuedPromptCount: 1 });
      // Its entry goes once it is reaped.
      await eventually(() => !existsSync(`/proc/${row?.pid}`));
      expect(await submit(id, '/say wake', 'wakeup')).toMatchObject({ outcome: 'queued', reason: 'dropped' });
      // Its gate has nobody left who waits at it.
      await bench.release(agentId);
      const { messages, session } = await bench.vigil.getSession(id);
      expect(session.state).toBe('idle');
      expect(messages.slice(before).filter((one) => one.kind === 'assistant')).toEqual([]);
      expect(await bench.vigil.stopAll(id)).toMatchObject({ state: 'idle' });
    },
  );

  test('[S131, S82] leaves what waited for an operator, and the next prompt starts another agent', async () => {
    const { id } = await withWork('mock', 'shell one');
    await submit(id, '/wait until released never');
    await submit(id, '/say human');
    const { executionId } = await bench.until(id, 'running');
    await bench.vigil.stopAll(id);
    expect(await submit(id, '/say again')).toMatchObject({ outcome: 'dispatched' });
    const again = await bench.until(id, 'waiting_for_input');

    expect(again.executionId).not.toBe(executionId);
    expect(await bench.vigil.listQueue(id)).toMatchObject({ autoRun: false, entries: [{ text: '/say human' }] });
  });
});

describe('stopping the turn', () => {
  test('[S131] leaves the work that it does not kill, is pending to every client, and each press acts', async () => {
    const { id } = await withWork('mock-v2', 'shell one');
    await submit(id, '/wait until released never');
    const { generation } = await bench.until(id, 'running');
    const seen: boolean[] = [];
    const leave = new AbortController();
    const watching = (async () => {
      for await (const { event } of bench.vigil.watchActivity({ signal: leave.signal })) {
        if ('session' in event && event.session.id === id) seen.push(event.session.cancellationPending);
      }
    })();
    expect(await bench.vigil.cancel({ sessionId: id })).toEqual({ outcome: 'cancelling' });
    expect((await bench.vigil.getSession(id)).session).toMatchObject({ cancellationPending: true, generation });
    expect(await bench.vigil.cancel({ sessionId: id })).toEqual({ outcome: 'cancelling' });
    const settled = await bench.until(id, 'waiting_for_input');
    expect(settled).toMatchObject({
      stopReason: 'cancelled',
      cancellationPending: false,
      workloads: [{ kind: 'shell' }],
    });
    expect(await bench.vigil.cancel({ sessionId: id })).toEqual({ outcome: 'nothing_to_cancel' });
    await bench.vigil.stopAll(id);
    leave.abort();
    await watching.catch(() => undefined);
    expect(seen.includes(true)).toBe(true);
    expect(seen.at(-1)).toBe(false);
  });
});
