import { openTestDatabase } from '@vigil/db/testing';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Bench, startBench } from './bench.ts';
import { FakeAgents, type FakeConnection } from './fake-agent.ts';
import { gatedDatabase } from './gated-database.ts';
import { eventually } from './settle.ts';

const database = await openTestDatabase();
const gated = gatedDatabase(database);
let agents: FakeAgents;
let bench: Bench;

beforeEach(async () => {
  agents = new FakeAgents();
  bench = await startBench({
    database: gated.database,
    deps: { openAgent: agents.open },
    config: { cancelAfterMs: 20 },
  });
});

afterEach(async () => {
  for (const task of bench.vigil.activitySnapshot().tasks) await bench.vigil.deleteTask(task.id);
  await bench.vigil.close();
});

afterAll(() => database.close());

const submit = (sessionId: string, text: string, origin: 'human' | 'wakeup' = 'human') =>
  bench.vigil.submit({ sessionId, text, clientKey: text, origin });

/** A session whose first turn is at work, with these behind it. */
async function working(...backlog: string[]) {
  const session = await bench.session();
  const others = agents.opened.length;
  void submit(session.id, 'first');
  const prompt = await eventually(() => agents.opened[others]?.prompts[0]);
  prompt.answer({ accepted: true });
  for (const text of backlog) await submit(session.id, text, text.startsWith('wake') ? 'wakeup' : 'human');
  await bench.until(session.id, (one) => one.state === 'running' && one.queuedPromptCount === backlog.length);
  return { sessionId: session.id, agent: agents.last };
}

/** The agent ends the turn that it took last. */
function endTurn(agent: FakeConnection, stopReason = 'end_turn'): void {
  const generation = agent.prompts.at(-1)?.generation ?? 0;
  agent.says({ kind: 'rpc.settled', generation, stopReason });
}

const texts = async (sessionId: string) => (await bench.vigil.listQueue(sessionId)).entries.map((one) => one.text);

async function idOf(sessionId: string, text: string): Promise<string> {
  const entry = (await bench.vigil.listQueue(sessionId)).entries.find((one) => one.text === text);
  if (entry === undefined) throw new Error(`${text} is not in the queue`);
  return entry.messageId;
}

const sendNow = async (sessionId: string, text: string, generation?: number) =>
  bench.vigil.sendNow({ sessionId, messageId: await idOf(sessionId, text), generation });

describe('send now', () => {
  test('[S82] where the session is free dispatches that one at once and leaves auto-run, order and the rest', async () => {
    const { sessionId, agent } = await working('a', 'b', 'c');
    await bench.vigil.setAutoRun({ sessionId, on: false });
    endTurn(agent);
    await bench.until(sessionId, 'waiting_for_input');
    expect(await sendNow(sessionId, 'b')).toMatchObject({ autoRun: false, entries: [{ text: 'a' }, { text: 'c' }] });
    expect((await eventually(() => agent.prompts[1])).text).toBe('b');
    agent.accept(1);
    endTurn(agent);
    await bench.until(sessionId, 'waiting_for_input');
    expect(agent.prompts).toHaveLength(2);
    expect(await texts(sessionId)).toEqual(['a', 'c']);
  });

  test('[S82] replaces the very turn that was seen: it is cancelled once, then this one goes, then the rest in order', async () => {
    const { sessionId, agent } = await working('a', 'b', 'c');
    const { generation } = await bench.until(sessionId, 'running');
    const queue = await sendNow(sessionId, 'b', generation ?? 0);
    expect(queue).toMatchObject({ autoRun: true, entries: [{ text: 'a' }, { text: 'b', reason: 'stopping' }, {}] });
    expect(agent.cancels).toBe(1);
    expect(agent.prompts).toHaveLength(1);
    expect(await submit(sessionId, 'd')).toMatchObject({ outcome: 'queued' });
    endTurn(agent, 'cancelled');
    for (const [index, text] of ['b', 'a', 'c', 'd'].entries()) {
      expect((await eventually(() => agent.prompts[index + 1])).text).toBe(text);
      agent.accept(index + 1);
      endTurn(agent);
    }
    expect(agent.cancels).toBe(1);
  });

  test('[S82, S83] to a busy provider is sent again once it is idle, still before the others', async () => {
    const { sessionId, agent } = await working('a', 'b');
    await bench.vigil.setAutoRun({ sessionId, on: false });
    await sendNow(sessionId, 'b');
    endTurn(agent, 'cancelled');
    (await eventually(() => agent.prompts[1])).answer({ accepted: false, busy: true, message: 'busy' });
    await bench.until(sessionId, (one) => one.queuedPromptCount === 2);
    expect(agent.prompts).toHaveLength(2);
    agent.says({ kind: 'foreground', level: 'state', state: 'idle' });
    expect((await eventually(() => agent.prompts[2])).text).toBe('b');
  });

  test('[S82] of a turn whose prompt was not written yet gives that prompt back to the queue', async () => {
    const session = await bench.session();
    const held = gated.hold('note');
    void submit(session.id, 'first');
    await held.reached;
    await submit(session.id, 'second');
    await sendNow(session.id, 'second');
    held.release();
    const prompt = await eventually(() => agents.opened[0]?.prompts[0]);
    expect(prompt.text).toBe('second');
    expect(await texts(session.id)).toEqual(['first']);
  });

  test('[S131, S82] is taken back by a cancel and by stop-everything: nothing starts after them', async () => {
    for (const stop of ['cancel', 'stopAll', 'teardown'] as const) {
      const { sessionId, agent } = await working('a', 'b');
      await bench.vigil.setAutoRun({ sessionId, on: false });
      const opened = agents.opened.length;
      await sendNow(sessionId, 'b');
      if (stop === 'cancel') await bench.vigil.cancel({ sessionId });
      if (stop === 'stopAll') await bench.vigil.stopAll(sessionId);
      const { executionId } = await bench.until(sessionId, () => true);
      if (stop === 'teardown') await bench.vigil.teardown({ sessionId, executionId: executionId ?? '' });
      endTurn(agent, 'cancelled');
      await bench.until(sessionId, (one) => one.inputMode === 'direct');
      await bench.vigil.setAutoRun({ sessionId, on: false });
      expect([agent.prompts.length, agents.opened.length - opened, await texts(sessionId)]).toEqual([1, 0, ['a', 'b']]);
    }
  });

  test('[S61] of a wake-up does not overtake a person', async () => {
    const { sessionId, agent } = await working('a', 'wake');
    await expect(sendNow(sessionId, 'wake')).rejects.toMatchObject({ code: 'conflict', reason: 'queue_not_empty' });
    expect(agent.cancels).toBe(0);
  });

  test('[S82] survives the death of the agent that it asked to stop: the next one gets it', async () => {
    const { sessionId, agent } = await working('a', 'b');
    await sendNow(sessionId, 'b');
    agent.sink.gone({ code: 1, signal: null, stderr: '', reason: null });
    expect((await eventually(() => agents.opened.at(-1) !== agent && agents.last.prompts[0])).text).toBe('b');
  });
});

describe('a queue', () => {
  test('[S82] takes changes one after another: two at once are both made', async () => {
    const { sessionId } = await working('a', 'b');
    const [a = '', b = ''] = (await bench.vigil.listQueue(sessionId)).entries.map((one) => one.messageId);
    await Promise.all([
      bench.vigil.editQueued({ sessionId, messageId: a, text: 'A' }),
      bench.vigil.reorderQueue({ sessionId, order: [b, a] }),
      bench.vigil.editQueued({ sessionId, messageId: a, text: 'AA' }),
    ]);
    expect(await texts(sessionId)).toEqual(['b', 'AA']);
  });
});

describe('a queue with auto-run drains', () => {
  const next = (agent: FakeConnection) => eventually(() => agent.prompts[1]?.text);

  test('[S81] at the end of a turn, also one that nobody prompted or that failed', async () => {
    for (const stopReason of ['end_turn', 'refusal', 'error']) {
      const { agent } = await working('a');
      endTurn(agent, stopReason);
      expect(await next(agent)).toBe('a');
    }
  });

  test('[S81, S131] when a cancel settles, by the agent or by time, of what came while it was pending', async () => {
    for (const answers of [true, false]) {
      const { sessionId, agent } = await working();
      await bench.vigil.cancel({ sessionId });
      expect(await submit(sessionId, 'a')).toMatchObject({ outcome: 'queued', reason: 'stopping' });
      if (answers) endTurn(agent, 'cancelled');
      expect(await next(agent)).toBe('a');
    }
  });

  test('[S81] when the agent dies, into the next one', async () => {
    const { agent } = await working('a');
    agent.sink.gone({ code: 1, signal: null, stderr: '', reason: null });
    expect((await eventually(() => agents.last !== agent && agents.last.prompts[0])).text).toBe('a');
  });

  test('[S81] when the turn ends while a prompt is being stored', async () => {
    const { sessionId, agent } = await working();
    const held = gated.hold('enqueue');
    const submitting = submit(sessionId, 'a');
    await held.reached;
    endTurn(agent);
    await bench.until(sessionId, 'waiting_for_input');
    held.release();
    expect(await submitting).toMatchObject({ outcome: 'queued', reason: 'generating' });
    expect(await next(agent)).toBe('a');
  });

  test('[S81] when its task comes back from the archive', async () => {
    const { sessionId, agent } = await working('a');
    const { session } = await bench.vigil.getSession(sessionId);
    await bench.vigil.archiveTask(session.taskId);
    expect(agents.last).toBe(agent);
    await bench.vigil.unarchiveTask(session.taskId);
    expect((await eventually(() => agents.last !== agent && agents.last.prompts[0])).text).toBe('a');
  });

  test('[S80, S81] and one whose agent is not to be had is parked, with the reason', async () => {
    const { sessionId, agent } = await working('a');
    const { launch } = bench.deps.agents;
    bench.deps.agents.launch = () => ({ launch: null, reason: 'it was uninstalled' });
    agent.sink.gone({ code: 1, signal: null, stderr: '', reason: null });
    await bench.until(sessionId, (one) => one.state === 'failed' && !one.autoRun);
    const { entries } = await bench.vigil.listQueue(sessionId);
    expect(entries).toMatchObject([{ text: 'a', reason: 'agent_unavailable', error: 'it was uninstalled' }]);
    const unavailable = { code: 'conflict', reason: 'agent_unavailable' };
    await expect(submit(sessionId, 'b')).rejects.toMatchObject(unavailable);
    await expect(sendNow(sessionId, 'a')).rejects.toMatchObject(unavailable);
    bench.deps.agents.launch = launch;
    expect(await submit(sessionId, 'c')).toMatchObject({ outcome: 'dispatched' });
    expect(await texts(sessionId)).toEqual(['a']);
  });
});

describe('a cancel', () => {
  test('[S131] is one operation: pending under a revision that every client sees', async () => {
    const { sessionId, agent } = await working();
    const leave = new AbortController();
    const told: number[] = [];
    const watching = (async () => {
      for await (const { event } of bench.vigil.watchActivity({ signal: leave.signal }))
        if (event.type === 'session.updated' && event.session.cancellationPending) told.push(event.revision);
    })();
    const [one, two] = await Promise.all([bench.vigil.cancel({ sessionId }), bench.vigil.cancel({ sessionId })]);
    expect([one, two]).toEqual([{ outcome: 'cancelling' }, { outcome: 'cancelling' }]);
    await eventually(() => told[0]);
    expect(bench.vigil.activitySnapshot().sessions.find((each) => each.id === sessionId)).toMatchObject({
      cancellationPending: true,
      inputMode: 'queue',
      inputReason: 'stopping',
    });
    endTurn(agent, 'cancelled');
    await bench.until(sessionId, (each) => !each.cancellationPending);
    expect(await bench.vigil.cancel({ sessionId })).toEqual({ outcome: 'nothing_to_cancel' });
    leave.abort();
    await watching;
    expect(told).toHaveLength(1);
  });

  test('[S58, S131] whose answer comes after it settled ends nothing of the next turn', async () => {
    const { sessionId, agent } = await working();
    const { generation } = await bench.until(sessionId, 'running');
    await bench.vigil.cancel({ sessionId });
    await bench.until(sessionId, 'waiting_for_input');
    void submit(sessionId, 'second');
    const second = await eventually(() => agent.prompts[1]);
    second.answer({ accepted: true });
    agent.says({ kind: 'rpc.settled', generation: generation ?? 0, stopReason: 'cancelled' });
    const now = await bench.until(sessionId, () => true);
    expect(now).toMatchObject({ state: 'running', generation: second.generation, cancellationPending: false });
    expect(await bench.vigil.cancel({ sessionId, generation: generation ?? 0 })).toEqual({
      outcome: 'nothing_to_cancel',
    });
  });
});

describe('a wake-up', () => {
  test('[S61, S131] that was on its way to an agent that still starts is dropped by stop-everything', async () => {
    const session = await bench.session();
    const held = gated.hold('note');
    expect(await submit(session.id, 'wake', 'wakeup')).toMatchObject({ outcome: 'dispatched' });
    await held.reached;
    await bench.vigil.stopAll(session.id);
    held.release();
    await bench.until(session.id, 'idle');
    const told = await eventually(async () => submit(session.id, 'wake', 'wakeup'));
    expect(told).toMatchObject({ outcome: 'queued', reason: 'dropped' });
    await bench.vigil.setAutoRun({ sessionId: session.id, on: true });
    expect([await texts(session.id), agents.last.prompts.length]).toEqual([[], 0]);
  });
});

describe('stop-everything', () => {
  test('[S131] starts nothing of a prompt that is being edited meanwhile', async () => {
    const { sessionId, agent } = await working('a');
    const held = gated.hold('edit');
    const editing = bench.vigil.editQueued({ sessionId, messageId: await idOf(sessionId, 'a'), text: 'A' });
    await held.reached;
    await bench.vigil.stopAll(sessionId);
    held.release();
    await editing;
    const parked = await bench.until(sessionId, 'idle');
    expect(parked).toMatchObject({ autoRun: false, queuedPromptCount: 1 });
    expect([agent.prompts.length, agents.opened.length]).toEqual([1, 1]);
  });
});
