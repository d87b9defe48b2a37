import { openTestDatabase } from '@vigil/db/testing';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { type Bench, startBench } from './bench.ts';
import { FakeAgents, type FakeConnection } from './fake-agent.ts';
import { eventually } from './settle.ts';
import { ended, started } from './world/evidence.ts';

const database = await openTestDatabase();
let agents: FakeAgents;
let bench: Bench;

beforeEach(async () => {
  agents = new FakeAgents({ handoff: true, rpc: 'held', begins: 'written' });
  bench = await startBench({
    database,
    deps: { openAgent: agents.open },
    config: { cancelAfterMs: 20, features: { handoff: true, reported: null } },
  });
});

afterEach(async () => {
  for (const task of bench.vigil.activitySnapshot().tasks) await bench.vigil.deleteTask(task.id);
  await bench.vigil.close();
});

afterAll(() => database.close());

const submit = (sessionId: string, text: string, origin: 'human' | 'wakeup' = 'human') =>
  bench.vigil.submit({ sessionId, text, clientKey: text, origin });
const settle = (agent: FakeConnection, index: number, stopReason = 'end_turn') =>
  agent.says({ kind: 'rpc.settled', generation: agent.prompts[index]?.generation ?? 0, stopReason });
const texts = (agent: FakeConnection) => agent.prompts.map((one) => one.text);
const now = async (sessionId: string) => (await bench.vigil.getSession(sessionId)).session;

/** A turn whose agent is free for another prompt while its work runs: its own RPC is open. */
async function yielded() {
  const { id: sessionId } = await bench.session();
  void submit(sessionId, 'first');
  const first = await eventually(() => agents.opened[0]?.prompts[0]);
  first.answer({ accepted: true });
  const agent = agents.last;
  agent.says(started('sub', 'subagent'));
  agent.says({ kind: 'yielded', generation: first.generation });
  await bench.until(sessionId, (one) => one.state === 'running' && one.inputMode === 'direct');
  return { sessionId, agent };
}

/** The turn ends that the transcript tells of. */
async function ends(sessionId: string) {
  const { messages } = await bench.vigil.getSession(sessionId);
  return messages.filter((one) => one.kind === 'notice' && one.code === 'turn_ended').length;
}

test('[S60, S61] a wake-up neither takes nor delays a handoff: it waits for the person who took it, and for all who queue', async () => {
  const { sessionId, agent } = await yielded();
  await expect(bench.vigil.prompt({ sessionId, text: 'strict', origin: 'wakeup' })).rejects.toMatchObject({
    reason: 'prompt_in_progress',
  });
  expect(await submit(sessionId, 'wake', 'wakeup')).toMatchObject({ outcome: 'queued', reason: 'generating' });
  void submit(sessionId, 'second');
  (await eventually(() => agent.prompts[1])).answer({ accepted: true });
  expect(await submit(sessionId, 'third')).toMatchObject({ outcome: 'queued' });
  settle(agent, 0);
  expect(await now(sessionId)).toMatchObject({ state: 'running', queuedPromptCount: 2 });
  expect(texts(agent)).toEqual(['first', 'second']);
  settle(agent, 1);
  (await eventually(() => agent.prompts[2])).answer({ accepted: true });
  settle(agent, 2);
  expect((await eventually(() => agent.prompts[3])).text).toBe('wake');
  expect(texts(agent)).toEqual(['first', 'second', 'third', 'wake']);
});

test('[S57, S63, S64] the predecessor’s late answer ends nothing, and its turn ended in the transcript before the successor', async () => {
  const { sessionId, agent } = await yielded();
  let before = -1;
  agent.onPrompt = () => {
    void ends(sessionId).then((count) => {
      before = count;
    });
  };
  void submit(sessionId, 'second');
  (await eventually(() => agent.prompts[1])).answer({ accepted: true });
  expect(await eventually(() => before >= 0 && before)).toBe(1);
  const { state, generation, workloads, stopReason } = await now(sessionId);
  settle(agent, 0);
  // The successor begins with it at the latest (S57); nothing ends.
  expect(await now(sessionId)).toMatchObject({ state, generation, workloads, stopReason, inputMode: 'queue' });
  expect(await ends(sessionId)).toBe(1);
  settle(agent, 1);
  await bench.until(sessionId, 'waiting_for_input');
  expect(await ends(sessionId)).toBe(2);
});

test('[S55, S60] a successor that the agent refuses gives the predecessor back, which ends as it would have', async () => {
  const { sessionId, agent } = await yielded();
  void submit(sessionId, 'second');
  (await eventually(() => agent.prompts[1])).answer({ accepted: false, busy: false, message: 'no' });
  const back = await bench.until(sessionId, (one) => one.queuedPromptCount === 1);
  expect(back).toMatchObject({ state: 'running', generation: agent.prompts[0]?.generation, activeSubagentCount: 1 });
  settle(agent, 0);
  expect(await bench.until(sessionId, 'waiting_for_input')).toMatchObject({ autoRun: false, activeSubagentCount: 1 });
  agent.says(ended('sub'));
  expect(texts(agent)).toEqual(['first', 'second']);
});

test('[S2, S81] what was queued behind a turn goes at the handoff; the end of the work takes the handoff back', async () => {
  const { sessionId, agent } = await yielded();
  agent.says(ended('sub'));
  expect(await now(sessionId)).toMatchObject({ state: 'running', inputMode: 'queue', activeSubagentCount: 0 });
  expect(await submit(sessionId, 'second')).toMatchObject({ outcome: 'queued', reason: 'generating' });
  agent.says(started('again', 'subagent'));
  agent.says({ kind: 'yielded', generation: agent.prompts[0]?.generation ?? 0 });
  expect((await eventually(() => agent.prompts[1])).text).toBe('second');
});

test('[S65, S131] a cancel at a handoff ends the successor only once, and a send-now needs none', async () => {
  const { sessionId, agent } = await yielded();
  await bench.vigil.setAutoRun({ sessionId, on: false });
  void submit(sessionId, 'second');
  (await eventually(() => agent.prompts[1])).answer({ accepted: true });
  await submit(sessionId, 'third');
  agent.says({ kind: 'yielded', generation: agent.prompts[1]?.generation ?? 0 });
  await bench.until(sessionId, (one) => one.inputMode === 'direct');
  const [third] = (await bench.vigil.listQueue(sessionId)).entries;
  await bench.vigil.sendNow({ sessionId, messageId: third?.messageId ?? '' });
  (await eventually(() => agent.prompts[2])).answer({ accepted: true });
  expect(agent.cancels).toBe(0);
  const stale = { sessionId, generation: agent.prompts[0]?.generation ?? 0 };
  expect(await bench.vigil.cancel(stale)).toEqual({ outcome: 'nothing_to_cancel' });
  expect(await bench.vigil.cancel({ sessionId })).toEqual({ outcome: 'cancelling' });
  settle(agent, 2, 'cancelled');
  expect(await bench.until(sessionId, 'waiting_for_input')).toMatchObject({ stopReason: 'cancelled' });
  expect(agent.cancels).toBe(1);
});
