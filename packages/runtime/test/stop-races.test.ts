import { openTestDatabase } from '@vigil/db/testing';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Bench, startBench } from './bench.ts';
import { deferred, FakeAgents } from './fake-agent.ts';
import { gatedDatabase } from './gated-database.ts';
import { eventually } from './settle.ts';
import { ended, started, workId } from './world/evidence.ts';

const database = await openTestDatabase();
const gated = gatedDatabase(database);
let agents: FakeAgents;
let bench: Bench;

beforeEach(async () => {
  agents = new FakeAgents({ wakes: true });
  bench = await startBench({
    database: gated.database,
    deps: { openAgent: agents.open },
    config: { cancelAfterMs: 20, settleAfterMs: 60_000 },
  });
});

afterEach(async () => {
  for (const agent of agents.opened) agent.closeFails = false;
  for (const task of bench.vigil.activitySnapshot().tasks) await bench.vigil.deleteTask(task.id);
  await bench.vigil.close();
});

afterAll(() => database.close());

/** A settled session with this work behind it. */
async function withWork(stoppable: boolean) {
  const { id: sessionId } = await bench.session();
  const others = agents.opened.length;
  void bench.vigil.submit({ sessionId, text: 'go', clientKey: 'go' });
  const prompt = await eventually(() => agents.opened[others]?.prompts[0]);
  prompt.answer({ accepted: true });
  const agent = agents.last;
  agent.says(started('build', 'shell', { stoppable }));
  agent.says({ kind: 'rpc.settled', generation: prompt.generation, stopReason: 'end_turn' });
  await bench.until(sessionId, 'waiting_for_input');
  return { sessionId, agent, workloadId: workId('build') };
}

describe('the stop of one workload', () => {
  test('[S12, S131] is no reason to expect a follow-up; one that nobody could be asked for is one', async () => {
    for (const stoppable of [true, false]) {
      const { sessionId, agent, workloadId } = await withWork(stoppable);
      if (stoppable) agent.stopAnswer = Promise.resolve({ stopped: true, reason: null });
      const answer = await bench.vigil.stopWorkload({ sessionId, workloadId });
      expect(answer).toEqual(stoppable ? { stopped: true, reason: null } : { stopped: false, reason: 'not supported' });
      expect((await bench.vigil.getSession(sessionId)).session.workloads).toHaveLength(1);
      agent.says(ended('build'));
      const after = await bench.until(sessionId, (one) => one.workloads.length === 0);
      expect(after.awaitingFollowUp).toBe(!stoppable);
    }
  });

  test('[S131] that the agent never answers is answered all the same, and says so', async () => {
    const { sessionId, agent, workloadId } = await withWork(true);
    agent.stopAnswer = new Promise(() => undefined);
    const answer = await bench.vigil.stopWorkload({ sessionId, workloadId });
    expect(answer).toMatchObject({ stopped: false, reason: expect.stringContaining('has not answered') });
  });

  test('[S131] of work that is not live is refused', async () => {
    const { sessionId, agent, workloadId } = await withWork(true);
    agent.says(ended('build'));
    await expect(bench.vigil.stopWorkload({ sessionId, workloadId })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('stop-everything', () => {
  test('[S131, S65] retires all work, and what its agent says afterwards changes nothing', async () => {
    const { sessionId, agent } = await withWork(true);
    const stopped = await bench.vigil.stopAll(sessionId);
    expect(stopped).toMatchObject({ state: 'idle', executionId: null, workloads: [], awaitingFollowUp: false });
    agent.says({ kind: 'foreground', level: 'state', state: 'running' }, { kind: 'output' });
    agent.says(started('again', 'subagent'));
    expect((await bench.vigil.getSession(sessionId)).session).toEqual(stopped);
    expect(agents.opened).toHaveLength(1);
  });

  test('[S131, S114] whose process does not end says so, stays stopped, and may be repeated', async () => {
    const { sessionId, agent } = await withWork(true);
    agent.closeFails = true;
    await expect(bench.vigil.stopAll(sessionId)).rejects.toMatchObject({ code: 'conflict', reason: 'stop_failed' });
    expect((await bench.vigil.getSession(sessionId)).session).toMatchObject({ state: 'idle', workloads: [] });
    agent.closeFails = false;
    expect(await bench.vigil.stopAll(sessionId)).toMatchObject({ state: 'idle' });
    expect(agent.closes).toBeGreaterThan(1);
  });
});

describe('a late teardown of an execution', () => {
  test('[S112, S113] touches nothing of its successor, while that is claimed, starts, and runs', async () => {
    const { sessionId } = await withWork(true);
    const executionId = (await bench.until(sessionId, 'waiting_for_input')).executionId ?? '';
    await bench.vigil.teardown({ sessionId, executionId });
    const late = async () => {
      const before = await bench.until(sessionId, () => true);
      const told = await bench.vigil.teardown({ sessionId, executionId, cause: 'cancelled' });
      expect(told).toMatchObject({ outcome: 'already_retired', cause: 'stopped', released: false });
      expect(await bench.until(sessionId, () => true)).toEqual(before);
    };
    const [stored, opened] = [gated.hold('enqueue'), deferred<void>()];
    agents.gate = opened.promise;
    void bench.vigil.submit({ sessionId, text: 'next', clientKey: 'next' });
    await stored.reached;
    await late();
    stored.release();
    await bench.until(sessionId, 'starting');
    await late();
    opened.resolve();
    const prompt = await eventually(() => agents.opened[1]?.prompts[0]);
    await late();
    prompt.answer({ accepted: true });
    await late();
    expect(await bench.until(sessionId, 'running')).toMatchObject({ generation: prompt.generation });
    expect(agents.opened).toHaveLength(2);
  });
});
