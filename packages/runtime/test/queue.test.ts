import { DatabaseError } from '@vigil/db';
import { openTestDatabase } from '@vigil/db/testing';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Bench, startBench } from './bench.ts';
import { deferred, FakeAgents, type FakeConnection } from './fake-agent.ts';
import { eventually } from './settle.ts';

const database = await openTestDatabase();
let agents: FakeAgents;
let bench: Bench;

beforeEach(async () => {
  agents = new FakeAgents();
  bench = await startBench({ database, deps: { openAgent: agents.open }, config: { cancelAfterMs: 20 } });
});

afterEach(async () => {
  for (const task of bench.vigil.activitySnapshot().tasks) await bench.vigil.deleteTask(task.id);
  await bench.vigil.close();
});

afterAll(() => database.close());

const submit = (sessionId: string, text: string, origin?: 'wakeup') =>
  bench.vigil.submit({ sessionId, text, clientKey: text, ...(origin && { origin }) });

const texts = async (sessionId: string) => (await bench.vigil.listQueue(sessionId)).entries.map((one) => one.text);

async function idOf(sessionId: string, text: string): Promise<string> {
  const { entries } = await bench.vigil.listQueue(sessionId);
  return entries.find((one) => one.text === text)?.messageId ?? `no prompt ${text}`;
}

/** What the agent was asked, in order. */
const asked = (agent: FakeConnection) => agent.prompts.map((one) => one.text);

/** The agent takes the prompt at this place, which then is at work. */
async function takes(agent: FakeConnection, index: number): Promise<number> {
  const prompt = await eventually(() => agent.prompts[index]);
  prompt.answer({ accepted: true });
  return prompt.generation;
}

function ends(agent: FakeConnection, generation: number, stopReason = 'end_turn'): void {
  agent.says({ kind: 'rpc.settled', generation, stopReason });
}

/** A session at work on `first`, with these in its queue. */
async function busy(...waiting: readonly string[]) {
  const { id } = await bench.session();
  void submit(id, 'first');
  const agent = await eventually(() => agents.opened.at(-1));
  const generation = await takes(agent, 0);
  await bench.until(id, 'running');
  for (const text of waiting) await submit(id, text);
  return { id, agent, generation };
}

/** Lets the agent take and end every prompt that comes, until this many were asked. */
async function runAll(agent: FakeConnection, count: number): Promise<readonly string[]> {
  for (let index = 1; index < count; index += 1) ends(agent, await takes(agent, index));
  return asked(agent);
}

describe('what waits', () => {
  test('[S81] runs first in, first out, one a turn', async () => {
    const { id, agent, generation } = await busy('a', 'b', 'c');
    ends(agent, generation);

    expect(await runAll(agent, 4)).toEqual(['first', 'a', 'b', 'c']);
    await bench.until(id, (one) => one.state === 'waiting_for_input' && one.queuedPromptCount === 0);
  });

  test('[S82] is edited, removed and cleared, and only that runs which is left', async () => {
    const { id, agent, generation } = await busy('a', 'b', 'c');
    await bench.vigil.editQueued({ sessionId: id, messageId: await idOf(id, 'b'), text: 'B' });
    await bench.vigil.removeQueued({ sessionId: id, messageId: await idOf(id, 'a') });
    expect(await texts(id)).toEqual(['B', 'c']);
    ends(agent, generation);
    await takes(agent, 1);
    await submit(id, 'd');
    expect(await bench.vigil.clearQueue(id)).toEqual({ autoRun: true, entries: [] });
    ends(agent, agent.prompts[1]?.generation ?? 0);
    await bench.until(id, 'waiting_for_input');

    expect(asked(agent)).toEqual(['first', 'B']);
  });

  test('[S82] is put in an order that names it all, each once; any other is refused and changes nothing', async () => {
    const { id, agent, generation } = await busy('a', 'b', 'c');
    const [a, b, c] = await Promise.all(['a', 'b', 'c'].map((text) => idOf(id, text)));
    const wrong = [[a, b], [a, b, c, 'gone'], [a, b, b], [a, a, b, c], []] as string[][];
    for (const order of wrong) {
      await expect(bench.vigil.reorderQueue({ sessionId: id, order })).rejects.toMatchObject({
        code: 'conflict',
        reason: 'queue_changed',
      });
    }
    expect(await texts(id)).toEqual(['a', 'b', 'c']);
    await bench.vigil.reorderQueue({ sessionId: id, order: [c, a, b] as string[] });
    expect(await texts(id)).toEqual(['c', 'a', 'b']);
    ends(agent, generation);

    expect(await runAll(agent, 4)).toEqual(['first', 'c', 'a', 'b']);
  });

  test('[S81, S82] stays human before wake-up in whatever order it is put', async () => {
    const { id } = await busy('a', 'b');
    await submit(id, 'w', 'wakeup');
    const [a, b, w] = await Promise.all(['a', 'b', 'w'].map((text) => idOf(id, text)));
    await bench.vigil.reorderQueue({ sessionId: id, order: [w, b, a] as string[] });

    expect(await texts(id)).toEqual(['b', 'a', 'w']);
  });

  test('[S82] is not what is on its way: no edit sees it', async () => {
    const { id, agent, generation } = await busy('a', 'b');
    const a = await idOf(id, 'a');
    ends(agent, generation);
    await eventually(() => agent.prompts[1]);

    expect(await texts(id)).toEqual(['b']);
    for (const edit of [
      bench.vigil.editQueued({ sessionId: id, messageId: a, text: 'other' }),
      bench.vigil.removeQueued({ sessionId: id, messageId: a }),
      bench.vigil.sendNow({ sessionId: id, messageId: a }),
    ]) {
      await expect(edit).rejects.toMatchObject({ code: 'not_found' });
    }
    await expect(bench.vigil.reorderQueue({ sessionId: id, order: [await idOf(id, 'b'), a] })).rejects.toMatchObject({
      reason: 'queue_changed',
    });
    await bench.vigil.clearQueue(id);
    agent.prompts[1]?.answer({ accepted: false, busy: false, message: 'no' });
    await bench.until(id, (one) => one.queuedPromptCount === 1);
    expect(await texts(id)).toEqual(['a']);
  });
});

describe('while the database is at it', () => {
  /** Holds calls of a method of the prompt repository until it is let go. */
  function hold(method: 'edit' | 'remove' | 'enqueue' | 'settle' | 'withdraw') {
    const [reached, gate] = [deferred<void>(), deferred<void>()];
    const real = database.prompts[method].bind(database.prompts) as (...args: unknown[]) => Promise<never>;
    const call = vi.spyOn(database.prompts, method);
    call.mockImplementation(async (...args: unknown[]) => {
      reached.resolve();
      await gate.promise;
      return real(...args);
    });
    const release = () => {
      call.mockRestore();
      gate.resolve();
    };
    return { reached: reached.promise, release };
  }

  afterEach(() => vi.restoreAllMocks());

  test('[S81] a head that is being edited is not overtaken, and is sent as edited', async () => {
    const { id, agent, generation } = await busy('a', 'b');
    const { release } = hold('edit');
    const editing = bench.vigil.editQueued({ sessionId: id, messageId: await idOf(id, 'a'), text: 'A' });
    ends(agent, generation);
    await bench.until(id, 'waiting_for_input');
    expect(asked(agent)).toEqual(['first']);
    release();
    await editing;

    expect(await runAll(agent, 3)).toEqual(['first', 'A', 'b']);
  });

  test('[S80, S142] a repeat that meets the late row of its first try is no promise, and is kept when sent again', async () => {
    const { id, agent, generation } = await busy();
    const first = hold('enqueue');
    await expect(submit(id, 'again')).rejects.toMatchObject({ code: 'unavailable' });
    // The repeat has looked for its key by then, and found nothing.
    const withdrawal = hold('withdraw');
    const real = database.prompts.findByKey.bind(database.prompts);
    vi.spyOn(database.prompts, 'findByKey').mockImplementationOnce(async (...key) => {
      const found = await real(...key);
      first.release();
      await withdrawal.reached;
      return found;
    });
    await expect(submit(id, 'again')).rejects.toMatchObject({ code: 'unavailable' });
    withdrawal.release();
    expect(await submit(id, 'again')).toMatchObject({ outcome: 'queued', reason: 'generating' });
    ends(agent, generation);
    ends(agent, await takes(agent, 1));
    await bench.until(id, (one) => one.state === 'waiting_for_input' && one.queuedPromptCount === 0);

    expect(asked(agent)).toEqual(['first', 'again']);
  });

  test('[S82] nothing is sent of what is being cleared', async () => {
    const { id, agent, generation } = await busy('a', 'b', 'c');
    const { release } = hold('remove');
    const clearing = bench.vigil.clearQueue(id);
    ends(agent, generation);
    await bench.until(id, 'waiting_for_input');
    release();

    expect(await clearing).toMatchObject({ entries: [] });
    await bench.until(id, (one) => one.queuedPromptCount === 0);
    expect(asked(agent)).toEqual(['first']);
  });

  test('[S61, S131] a wake-up that is being stored or edited when the session is stopped is dropped too', async () => {
    const { id, agent, generation } = await busy();
    await submit(id, 'edited', 'wakeup');
    const [edit, store] = [hold('edit'), hold('enqueue')];
    const editing = bench.vigil.editQueued({ sessionId: id, messageId: await idOf(id, 'edited'), text: 'other' });
    const storing = submit(id, 'stored', 'wakeup');
    await Promise.all([edit.reached, store.reached]);
    await bench.vigil.cancel({ sessionId: id });
    ends(agent, generation, 'cancelled');
    const settle = hold('settle');
    edit.release();
    store.release();
    await editing;
    expect(await storing).toMatchObject({ outcome: 'queued', reason: 'dropped' });
    // Its row does not say so yet.
    await settle.reached;
    expect(await submit(id, 'edited', 'wakeup')).toMatchObject({ outcome: 'queued', reason: 'dropped' });
    settle.release();
    await bench.vigil.setAutoRun({ sessionId: id, on: true });
    await submit(id, 'last');
    ends(agent, await takes(agent, 1));
    await bench.until(id, 'waiting_for_input');

    expect(asked(agent)).toEqual(['first', 'last']);
  });
});

describe('a change that the database does not take', () => {
  type Prompts = typeof database.prompts;
  type Change = (at: { id: string; a: string; b: string }) => Promise<unknown>;
  const CHANGES: readonly (readonly [keyof Prompts, Change])[] = [
    ['remove', ({ id, a }) => bench.vigil.removeQueued({ sessionId: id, messageId: a })],
    ['edit', ({ id, a }) => bench.vigil.editQueued({ sessionId: id, messageId: a, text: 'other' })],
    ['reorder', ({ id, a, b }) => bench.vigil.reorderQueue({ sessionId: id, order: [b, a] })],
  ];

  test.each(CHANGES)(
    '[S81, S142] to %s prompts holds none of them back, though the session became free meanwhile',
    async (method, change) => {
      const waiting = method === 'reorder' ? ['a', 'b'] : ['a'];
      const { id, agent, generation } = await busy(...waiting);
      const [a, b] = [await idOf(id, 'a'), await idOf(id, 'b')];
      const answer = deferred<never>();
      const before = Reflect.get(database.prompts, method);
      Reflect.set(database.prompts, method, () => answer.promise);
      const changing = change({ id, a, b });
      ends(agent, generation);
      await bench.until(id, 'waiting_for_input');
      Reflect.set(database.prompts, method, before);
      answer.reject(new DatabaseError('database_unreachable', 'it does not answer'));

      await expect(changing).rejects.toMatchObject({ code: 'unavailable' });
      for (const index of waiting.keys()) ends(agent, await takes(agent, index + 1));
      await bench.until(id, (one) => one.queuedPromptCount === 0);
      expect(asked(agent).toSorted()).toEqual([...waiting, 'first']);
    },
  );
});

describe('sending now', () => {
  test('[S82] cancels the turn at work and replaces it; the rest runs on as before', async () => {
    const { id, agent, generation } = await busy('a', 'b', 'c');
    const answer = await bench.vigil.sendNow({ sessionId: id, messageId: await idOf(id, 'b'), generation });
    expect(answer.autoRun).toBe(true);
    expect(agent.cancels).toBe(1);
    expect(await bench.until(id, (one) => one.cancellationPending)).toMatchObject({ generation });
    ends(agent, generation, 'cancelled');

    expect(await runAll(agent, 4)).toEqual(['first', 'b', 'a', 'c']);
    expect(agent.cancels).toBe(1);
  });

  test('[S82, S131] does so also where the agent never answers the cancel', async () => {
    const { id, agent } = await busy('a', 'b');
    await bench.vigil.sendNow({ sessionId: id, messageId: await idOf(id, 'b') });

    expect((await eventually(() => agent.prompts[1])).text).toBe('b');
  });

  test('[S82] cancels no other turn than the one that was seen', async () => {
    const { id, agent, generation } = await busy('a', 'b');
    ends(agent, generation);
    const next = await takes(agent, 1);
    await bench.until(id, (one) => one.generation === next && one.queuedPromptCount === 1);
    const late = bench.vigil.sendNow({ sessionId: id, messageId: await idOf(id, 'b'), generation });

    await expect(late).rejects.toMatchObject({ code: 'conflict', reason: 'turn_changed' });
    expect(agent.cancels).toBe(0);
    expect((await bench.vigil.getSession(id)).session.cancellationPending).toBe(false);
  });

  test('[S82] dispatches at once where no turn is at work, and leaves a parked backlog parked', async () => {
    const { id, agent, generation } = await busy('a', 'b', 'c');
    await bench.vigil.cancel({ sessionId: id });
    ends(agent, generation, 'cancelled');
    await bench.until(id, (one) => one.state === 'waiting_for_input' && !one.autoRun);
    await bench.vigil.sendNow({ sessionId: id, messageId: await idOf(id, 'b'), generation });
    ends(agent, await takes(agent, 1));
    await bench.until(id, 'waiting_for_input');

    expect(asked(agent)).toEqual(['first', 'b']);
    expect(await bench.vigil.listQueue(id)).toMatchObject({ autoRun: false, entries: [{ text: 'a' }, { text: 'c' }] });
  });

  test('[S82] that fails puts the prompt back at its place, with the error', async () => {
    const { id, agent, generation } = await busy('a', 'b', 'c');
    await bench.vigil.sendNow({ sessionId: id, messageId: await idOf(id, 'b') });
    ends(agent, generation, 'cancelled');
    (await eventually(() => agent.prompts[1])).answer({ accepted: false, busy: false, message: 'bad prompt' });
    await bench.until(id, (one) => one.queuedPromptCount === 3);

    expect(await bench.vigil.listQueue(id)).toMatchObject({
      autoRun: false,
      entries: [
        { text: 'a', error: null },
        { text: 'b', error: 'bad prompt' },
        { text: 'c', error: null },
      ],
    });
  });

  test('[S61, S82] drops no wake-up; an explicit cancel after it takes it back', async () => {
    const { id, agent, generation } = await busy('a', 'b');
    await submit(id, 'w', 'wakeup');
    await bench.vigil.sendNow({ sessionId: id, messageId: await idOf(id, 'b') });
    expect(await texts(id)).toEqual(['a', 'b', 'w']);
    await bench.vigil.cancel({ sessionId: id });
    ends(agent, generation, 'cancelled');
    await bench.until(id, 'waiting_for_input');

    expect(asked(agent)).toEqual(['first']);
    expect(await bench.vigil.listQueue(id)).toMatchObject({ autoRun: false, entries: [{ text: 'a' }, { text: 'b' }] });
  });

  test('[S51] is refused by a session that an operator ended', async () => {
    const { id } = await busy('a');
    const { executionId } = (await bench.vigil.getSession(id)).session;
    await bench.vigil.teardown({ sessionId: id, executionId: executionId ?? '', cause: 'cancelled' });

    await expect(bench.vigil.sendNow({ sessionId: id, messageId: await idOf(id, 'a') })).rejects.toMatchObject({
      reason: 'session_ended',
    });
  });
});

type Edge = (at: { id: string; agent: FakeConnection; generation: number }) => Promise<unknown>;

const EDGES: readonly (readonly [string, Edge])[] = [
  ['the end of a turn', async ({ agent, generation }) => ends(agent, generation)],
  [
    'a cancel, once auto-run is on again',
    async ({ id, agent, generation }) => {
      await bench.vigil.cancel({ sessionId: id });
      ends(agent, generation, 'cancelled');
      await bench.vigil.setAutoRun({ sessionId: id, on: true });
    },
  ],
  [
    'a cancel that is never answered',
    async ({ id }) => {
      await bench.vigil.cancel({ sessionId: id });
      await bench.vigil.setAutoRun({ sessionId: id, on: true });
    },
  ],
  ['a crash', async ({ agent }) => agent.sink.gone({ code: 1, signal: null, stderr: '', reason: null })],
  [
    'a teardown',
    async ({ id }) => {
      const { executionId } = (await bench.vigil.getSession(id)).session;
      await bench.vigil.teardown({ sessionId: id, executionId: executionId ?? '' });
    },
  ],
];

describe('the backlog', () => {
  test.each(EDGES)('[S81] hard case 16: drains on %s, nothing twice', async (_, edge) => {
    const { id, agent, generation } = await busy('waits');
    await edge({ id, agent, generation });
    const sent = await eventually(() => agents.opened.flatMap(asked).find((text) => text === 'waits'));

    expect(sent).toBe('waits');
    await bench.until(id, (one) => one.queuedPromptCount === 0);
    expect(agents.opened.flatMap(asked).filter((text) => text !== 'first')).toEqual(['waits']);
  });

  test('[S81] drains when something is put in while the session is idle', async () => {
    const { id, agent, generation } = await busy('parked');
    await bench.vigil.cancel({ sessionId: id });
    ends(agent, generation, 'cancelled');
    await bench.until(id, (one) => one.state === 'waiting_for_input' && !one.autoRun);
    await bench.vigil.setAutoRun({ sessionId: id, on: true });
    const behind = await submit(id, 'behind');
    ends(agent, await takes(agent, 1));

    expect((await eventually(() => agent.prompts[2])).text).toBe('behind');
    expect(behind.outcome).toBe('queued');
    expect(asked(agent)).toEqual(['first', 'parked', 'behind']);
  });
});
