import { getEventListeners } from 'node:events';
import { openTestDatabase } from '@vigil/db/testing';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Bench, startBench } from './bench.ts';
import { deferred, FakeAgents } from './fake-agent.ts';
import { eventually } from './settle.ts';

const database = await openTestDatabase();
let agents: FakeAgents;
let bench: Bench;

beforeEach(async () => {
  agents = new FakeAgents();
  bench = await startBench({ database, deps: { openAgent: agents.open }, config: { cancelAfterMs: 20 } });
});

afterEach(async () => {
  for (const agent of agents.opened) agent.closeFails = false;
  for (const task of bench.vigil.activitySnapshot().tasks) await bench.vigil.deleteTask(task.id);
  await bench.vigil.close();
});

afterAll(() => database.close());

const submit = (sessionId: string, text: string, clientKey = text) =>
  bench.vigil.submit({ sessionId, text, clientKey });

/** A session whose agent is alive and free. */
async function settled() {
  const session = await bench.session();
  void submit(session.id, 'first');
  const prompt = await eventually(() => agents.opened.at(-1)?.prompts[0]);
  prompt.answer({ accepted: true });
  agents.last.says({ kind: 'rpc.settled', generation: prompt.generation, stopReason: 'end_turn' });
  await bench.until(session.id, 'waiting_for_input');
  return { session, agent: agents.last };
}

describe('a busy provider', () => {
  test('[S83] hard case 18: gets its prompt again once it tells that it is idle, and only then', async () => {
    const { session, agent } = await settled();
    const sending = submit(session.id, 'second');
    (await eventually(() => agent.prompts[1])).answer({ accepted: false, busy: true, message: 'busy' });
    expect(await sending).toMatchObject({ outcome: 'queued', reason: 'provider_busy' });
    const queue = await bench.vigil.listQueue(session.id);
    expect(queue).toMatchObject({ autoRun: true, entries: [{ text: 'second', reason: 'provider_busy' }] });
    expect(await submit(session.id, 'third')).toMatchObject({ outcome: 'queued', reason: 'queue_not_empty' });
    expect(agent.prompts).toHaveLength(2);
    agent.says({ kind: 'foreground', level: 'state', state: 'idle' });
    const again = await eventually(() => agent.prompts[2]);
    expect(again.text).toBe('second');
    again.answer({ accepted: false, busy: true, message: 'still busy' });
    await bench.until(session.id, (one) => one.queuedPromptCount === 2);
    expect(agent.prompts).toHaveLength(3);
    agent.says({ kind: 'cycle.closed' });
    expect((await eventually(() => agent.prompts[3])).text).toBe('second');
  });

  test('[S83] that tells that it is idle before its refusal was dealt with gets its prompt again', async () => {
    const { session, agent } = await settled();
    void submit(session.id, 'second');
    const refused = await eventually(() => agent.prompts[1]);
    // One chunk of its output, so nothing runs in between.
    refused.answer({ accepted: false, busy: true, message: 'busy' });
    agent.says({ kind: 'foreground', level: 'state', state: 'idle' });
    expect((await eventually(() => agent.prompts[2])).text).toBe('second');
  });

  test('[S56] is not asked again once it accepted, whatever its connection does then', async () => {
    const { session, agent } = await settled();
    void submit(session.id, 'second');
    const prompt = await eventually(() => agent.prompts[1]);
    agent.says({ kind: 'prompt.accepted', generation: prompt.generation });
    prompt.fail(new Error('the connection broke'));
    agent.sink.gone({ code: 1, signal: null, stderr: '', reason: null });
    await bench.until(session.id, 'failed');
    expect(await bench.vigil.listQueue(session.id)).toEqual({ autoRun: true, entries: [] });
    expect(agents.opened).toHaveLength(1);
  });

  test('[S55] that refuses for another reason gives the message back with the error and parks the queue', async () => {
    const { session, agent } = await settled();
    void submit(session.id, 'second');
    (await eventually(() => agent.prompts[1])).answer({ accepted: false, busy: false, message: 'bad prompt' });
    const back = await bench.until(session.id, (one) => one.queuedPromptCount === 1);
    expect(back).toMatchObject({
      state: 'waiting_for_input',
      foregroundActivity: null,
      autoRun: false,
      inputMode: 'direct',
    });
    expect((await bench.vigil.listQueue(session.id)).entries).toMatchObject([{ text: 'second', error: 'bad prompt' }]);
  });

  test('[S80] of a strict prompt keeps nothing', async () => {
    const { session, agent } = await settled();
    const sending = bench.vigil.prompt({ sessionId: session.id, text: 'second' });
    (await eventually(() => agent.prompts[1])).answer({ accepted: false, busy: true, message: 'busy' });
    await expect(sending).rejects.toMatchObject({ code: 'conflict', reason: 'provider_busy' });
    expect((await bench.vigil.listQueue(session.id)).entries).toEqual([]);
  });
});

describe('an execution', () => {
  test('[P7] keeps nothing of the prompts that it took', async () => {
    const { session, agent } = await settled();
    const [signal = new AbortController().signal] = agents.signals;
    const before = getEventListeners(signal, 'abort').length;
    for (const turn of [1, 2, 3]) {
      void submit(session.id, `turn ${turn}`);
      const prompt = await eventually(() => agent.prompts[turn]);
      prompt.answer({ accepted: true });
      agent.says({ kind: 'rpc.settled', generation: prompt.generation, stopReason: 'end_turn' });
      await bench.until(session.id, 'waiting_for_input');
    }
    expect(getEventListeners(signal, 'abort')).toHaveLength(before);
  });
});

describe('a cancel', () => {
  test('[S131] hard case 15: that the provider never answers settles here, and the next prompt is dispatched', async () => {
    const { session, agent } = await settled();
    void submit(session.id, 'second');
    const prompt = await eventually(() => agent.prompts[1]);
    prompt.answer({ accepted: true });
    expect(await bench.vigil.cancel({ sessionId: session.id })).toEqual({ outcome: 'cancelling' });
    expect(agent.cancels).toBe(1);
    const over = await bench.until(session.id, 'waiting_for_input');
    expect(over).toMatchObject({ stopReason: 'cancelled', cancellationPending: false, inputMode: 'direct' });
    void submit(session.id, 'third');
    expect((await eventually(() => agent.prompts[2])).text).toBe('third');
  });

  test('[S131] before acceptance does not wait for a receipt that never comes, and never sends it again', async () => {
    const { session, agent } = await settled();
    void submit(session.id, 'second');
    await eventually(() => agent.prompts[1]);
    await bench.vigil.cancel({ sessionId: session.id });
    await bench.until(session.id, 'waiting_for_input');
    await submit(session.id, 'third');
    expect(agent.prompts.map((one) => one.text)).toEqual(['first', 'second', 'third']);
    expect((await bench.vigil.listQueue(session.id)).entries).toEqual([]);
  });

  test('[S131] with no turn open, or of another turn, changes nothing', async () => {
    const { session, agent } = await settled();
    const before = bench.vigil.activitySnapshot().revision;
    expect(await bench.vigil.cancel({ sessionId: session.id })).toEqual({ outcome: 'nothing_to_cancel' });
    expect(bench.vigil.activitySnapshot().revision).toBe(before);
    void submit(session.id, 'second');
    (await eventually(() => agent.prompts[1])).answer({ accepted: true });
    expect(await bench.vigil.cancel({ sessionId: session.id, generation: 1 })).toEqual({
      outcome: 'nothing_to_cancel',
    });
    expect(agent.cancels).toBe(0);
  });

  test('[S82] with a backlog parks it, and switching auto-run on drains it', async () => {
    const { session, agent } = await settled();
    void submit(session.id, 'second');
    const second = await eventually(() => agent.prompts[1]);
    second.answer({ accepted: true });
    await submit(session.id, 'third');
    await bench.vigil.cancel({ sessionId: session.id });
    agent.says({ kind: 'rpc.settled', generation: second.generation, stopReason: 'cancelled' });
    const parked = await bench.until(session.id, 'waiting_for_input');
    expect(parked).toMatchObject({ autoRun: false, queuedPromptCount: 1, stopReason: 'cancelled' });
    void submit(session.id, 'fourth');
    const fourth = await eventually(() => agent.prompts[2]);
    expect(fourth.text).toBe('fourth');
    fourth.answer({ accepted: true });
    agent.says({ kind: 'rpc.settled', generation: fourth.generation, stopReason: 'end_turn' });
    await bench.until(session.id, 'waiting_for_input');
    expect(agent.prompts).toHaveLength(3);
    await bench.vigil.setAutoRun({ sessionId: session.id, on: true });
    expect((await eventually(() => agent.prompts[3])).text).toBe('third');
  });

  test('[S132] answers what the foreground asked and leaves what a detached child asks', async () => {
    const { session, agent } = await settled();
    void submit(session.id, 'second');
    (await eventually(() => agent.prompts[1])).answer({ accepted: true });
    const ask = (id: string, background: boolean) => ({
      type: 'opened' as const,
      request: {
        id,
        kind: 'permission' as const,
        title: id,
        detail: null,
        askedBy: null,
        background,
        options: [],
        schema: null,
      },
    });
    agent.frame({ requests: [ask('mine', false), ask('child', true)] });
    await bench.until(session.id, (one) => one.pendingRequests.length === 2);
    await bench.vigil.cancel({ sessionId: session.id });
    expect(agent.responses).toEqual([{ id: 'mine', outcome: { cancelled: true } }]);
    const left = await bench.until(session.id, (one) => one.pendingRequests.length === 1);
    expect(left.pendingRequests[0]?.title).toBe('child');
  });
});

describe('a teardown', () => {
  test('[S113] while the agent starts ends that execution and starts no other', async () => {
    const { promise, resolve } = deferred<void>();
    agents.gate = promise;
    const session = await bench.session();
    await submit(session.id, 'first');
    const { executionId } = await bench.until(session.id, 'starting');
    const tearing = bench.vigil.teardown({ sessionId: session.id, executionId: executionId ?? '' });
    resolve();
    expect(await tearing).toMatchObject({ outcome: 'retired', cause: 'stopped', released: true });
    const parked = await bench.until(session.id, (one) => one.state === 'idle' && one.queuedPromptCount === 1);
    expect(parked).toMatchObject({ autoRun: false, executionId: null });
    expect(agents.opened).toHaveLength(0);
  });

  test('[S112] hard case 8: of an execution that was followed by another is invisible to it', async () => {
    const { session, agent } = await settled();
    const { executionId } = await bench.until(session.id, 'waiting_for_input');
    agent.sink.gone({ code: 1, signal: null, stderr: 'boom', reason: null });
    const failed = await bench.until(session.id, 'failed');
    expect(failed.error).toContain('boom');
    void submit(session.id, 'second');
    const prompt = await eventually(() => agents.opened[1]?.prompts[0]);
    prompt.answer({ accepted: true });
    const running = await bench.until(session.id, 'running');
    const again = await bench.vigil.teardown({ sessionId: session.id, executionId: executionId ?? '' });
    expect(again).toMatchObject({ outcome: 'already_retired', cause: 'crashed', released: false });
    agent.says({ kind: 'output' });
    const { session: now } = await bench.vigil.getSession(session.id);
    expect(now).toMatchObject({ state: 'running', executionId: running.executionId, generation: prompt.generation });
  });

  test('[S110] twice reports the facts of the first', async () => {
    const { session } = await settled();
    const executionId = (await bench.until(session.id, 'waiting_for_input')).executionId ?? '';
    const first = await bench.vigil.teardown({ sessionId: session.id, executionId, cause: 'completed' });
    expect(first).toMatchObject({ outcome: 'retired', cause: 'completed', released: true });
    const second = await bench.vigil.teardown({ sessionId: session.id, executionId, cause: 'failed' });
    expect(second).toEqual({ ...first, outcome: 'already_retired' });
    expect((await bench.vigil.getSession(session.id)).session.state).toBe('completed');
    expect(await bench.vigil.teardown({ sessionId: session.id, executionId: 'never' })).toMatchObject({
      outcome: 'unknown_execution',
      cause: null,
      endedAt: null,
    });
  });

  test('[S81] hard case 16: drains the backlog into a new execution', async () => {
    const { session, agent } = await settled();
    void submit(session.id, 'second');
    (await eventually(() => agent.prompts[1])).answer({ accepted: true });
    await submit(session.id, 'third');
    const executionId = (await bench.until(session.id, 'running')).executionId ?? '';
    await bench.vigil.teardown({ sessionId: session.id, executionId });
    expect((await eventually(() => agents.opened[1]?.prompts[0])).text).toBe('third');
    expect(agent.closes).toBe(1);
  });
});

describe('a removal', () => {
  test('[S114] hard case 27: is refused with stop_failed while the process does not end, loses nothing, and a repeat continues', async () => {
    const { session, agent } = await settled();
    agent.closeFails = true;
    const refusal = bench.vigil.deleteSession(session.id);
    await expect(refusal).rejects.toMatchObject({ code: 'conflict', reason: 'stop_failed' });
    const kept = await bench.vigil.getSession(session.id);
    expect(kept.session.state).toBe('idle');
    expect(kept.messages.length).toBeGreaterThan(0);
    await expect(bench.vigil.deleteTask(session.taskId)).rejects.toMatchObject({ reason: 'stop_failed' });
    agent.closeFails = false;
    expect(await bench.vigil.deleteSession(session.id)).toEqual({ outcome: 'deleted' });
    await expect(bench.vigil.getSession(session.id)).rejects.toMatchObject({ code: 'not_found' });
    const { task } = await bench.vigil.getTask(session.taskId);
    expect(task.sessionIds).toEqual([]);
  });
});
