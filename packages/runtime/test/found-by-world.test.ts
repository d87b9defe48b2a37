import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Session } from '../src/index.ts';
import { type Bench, collect, startBench } from './bench.ts';
import { deferred, FakeAgents, type FakeConnection } from './fake-agent.ts';
import { eventually } from './settle.ts';
import { fakeDatabase } from './world/fake-database.ts';
import { Faults } from './world/faults.ts';
import type { Store } from './world/store.ts';

// What histories of the simulated world (see world/) broke, each as the shortest story that shows it.

let agents: FakeAgents;
let faults: Faults;
let store: Store;
let bench: Bench;

beforeEach(async () => {
  agents = new FakeAgents();
  faults = new Faults();
  const fake = fakeDatabase();
  store = fake.store;
  bench = await startBench({ database: faults.over(fake.database), deps: { openAgent: agents.open } });
});

afterEach(async () => {
  for (const agent of agents.opened) agent.closeFails = false;
  faults.fates.clear();
  await bench.close();
});

const submit = (sessionId: string, text: string) => bench.vigil.submit({ sessionId, text, clientKey: text });
const unavailable = { code: 'unavailable' };

/** A turn that is at work, and prompts that wait behind it. */
async function working(...behind: string[]): Promise<{ session: Session; agent: FakeConnection; end: () => void }> {
  const session = await bench.session();
  void submit(session.id, 'first');
  const prompt = await eventually(() => agents.opened.at(-1)?.prompts[0]);
  prompt.answer({ accepted: true });
  for (const text of behind) await submit(session.id, text);
  const agent = agents.last;
  const { generation } = prompt;
  return { session, agent, end: () => agent.says({ kind: 'rpc.settled', generation, stopReason: 'end_turn' }) };
}

const shown = async (sessionId: string) => (await bench.vigil.getSession(sessionId)).session;

/** Whatever is due has run. */
const settled = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('a reader', () => {
  test('[P4, W5] of a session gets its change and that of its queue under revisions of their own', async () => {
    const { session } = await working();
    const leave = new AbortController();
    const ids: string[] = [];
    const reading = (async () => {
      for await (const { id, event } of bench.vigil.watchSession({ sessionId: session.id, signal: leave.signal })) {
        ids.push(id);
        if (event.type === 'queue') return;
      }
    })();
    await settled();
    await submit(session.id, 'second');
    await reading;
    leave.abort();
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('[S110] sees no request in any reading of an execution that has ended', async () => {
    const { session, agent } = await working();
    const watching = collect(bench.vigil);
    await settled();
    const request = { id: 'r', kind: 'permission', title: 'May I?', detail: null, askedBy: null } as const;
    agent.frame({
      requests: [{ type: 'opened', request: { ...request, background: false, options: [], schema: null } }],
    });
    const { executionId } = await shown(session.id);
    await bench.vigil.teardown({ sessionId: session.id, executionId: executionId ?? '' });
    const events = await watching.stop();
    const ended = events.flatMap((event) => ('session' in event && event.session.executionId === null ? [event] : []));
    expect(ended.length).toBeGreaterThan(0);
    for (const event of ended) expect(event.session.pendingRequests).toEqual([]);
  });
});

describe('an agent that does not end at once', () => {
  test('[S111, P7] is forgotten when it has ended', async () => {
    const { session, agent } = await working();
    const executionId = (await shown(session.id)).executionId ?? '';
    agent.closeFails = true;
    const teardown = () => bench.vigil.teardown({ sessionId: session.id, executionId });
    await expect(teardown()).rejects.toMatchObject({ reason: 'stop_failed' });
    agent.closeFails = false;
    await teardown();
    expect(bench.vigil.retained().executions).toBe(0);
  });

  test('[S111, S141] has an open row until it is gone, also when it goes by itself', async () => {
    const { session, agent } = await working();
    const executionId = (await shown(session.id)).executionId ?? '';
    agent.closeFails = true;
    await expect(bench.vigil.teardown({ sessionId: session.id, executionId })).rejects.toMatchObject({
      reason: 'stop_failed',
    });
    await eventually(() => store.sessions.get(session.id)?.state === 'idle');
    expect(store.executions.get(executionId)?.endedAt).toBeNull();
    agent.closeFails = false;
    agent.sink.gone({ code: 0, signal: null, stderr: '', reason: null });
    await eventually(() => store.executions.get(executionId)?.cause === 'stopped');
    expect(bench.vigil.retained().executions).toBe(0);
  });

  test('[S117] has no other beside it, also two starts later', async () => {
    const { session, agent } = await working();
    const executionId = (await shown(session.id)).executionId ?? '';
    agent.closeFails = true;
    await expect(bench.vigil.teardown({ sessionId: session.id, executionId })).rejects.toMatchObject({});
    for (const text of ['second', 'third']) {
      await bench.vigil.setAutoRun({ sessionId: session.id, on: true });
      await submit(session.id, text);
      await bench.until(session.id, (one) => one.state === 'failed' && !one.autoRun);
    }
    expect(agents.opened).toHaveLength(1);
  });
});

describe('a task', () => {
  test('[S142] that moves by itself while it is moved is stored as it is shown', async () => {
    const session = await bench.session();
    const { promise, resolve } = deferred<void>();
    faults.holds.set('tasks.update', promise);
    const moving = bench.vigil.updateTask({ taskId: session.taskId, title: 'Another title' });
    void submit(session.id, 'first');
    (await eventually(() => agents.opened[0]?.prompts[0])).answer({ accepted: true });
    faults.holds.clear();
    resolve();
    const { state, title } = await moving;
    expect({ state, title }).toEqual({ state: 'in_progress', title: 'Another title' });
    await eventually(() => store.tasks.get(session.taskId)?.state === 'in_progress');
    await eventually(() => bench.vigil.retained().writes === 0);
    expect(store.tasks.get(session.taskId)).toMatchObject({ state, title });
  });

  test('[W4, S114] that is archived starts nothing of its backlog meanwhile', async () => {
    const { session } = await working('second');
    await bench.vigil.archiveTask(session.taskId);
    await settled();
    expect(await shown(session.id)).toMatchObject({ state: 'idle', executionId: null, queuedPromptCount: 1 });
    expect(agents.opened).toHaveLength(1);
  });

  test('[S80, S141] that was not archived does not get delivered prompts back when it is unarchived', async () => {
    const { session, agent, end } = await working('second');
    const { promise, resolve } = deferred<void>();
    for (const name of ['prompts.list', 'prompts.settle']) faults.holds.set(name, promise);
    const unarchiving = bench.vigil.unarchiveTask(session.taskId);
    end();
    const second = await eventually(() => agent.prompts[1]);
    second.answer({ accepted: true });
    agent.says({ kind: 'rpc.settled', generation: second.generation, stopReason: 'end_turn' });
    await bench.until(session.id, 'waiting_for_input');
    faults.holds.clear();
    resolve();
    await unarchiving;
    await settled();
    expect(agent.prompts.map((one) => one.text)).toEqual(['first', 'second']);
    expect((await bench.vigil.listQueue(session.id)).entries).toEqual([]);
  });
});

describe('a removal that is refused', () => {
  test('[S81, S114] parks the backlog of what it had stopped', async () => {
    const { session } = await working('second');
    faults.fates.set('sessions.delete', 'fails');
    await expect(bench.vigil.deleteSession(session.id)).rejects.toMatchObject(unavailable);
    await settled();
    expect(await shown(session.id)).toMatchObject({ state: 'idle', autoRun: false, queuedPromptCount: 1 });
  });
});

describe('a database whose answers are lost', () => {
  test('[S80] hard case 17: keeps no prompt that its sender was told is not stored; sent again it is delivered once', async () => {
    const session = await bench.session();
    faults.fates.set('prompts.enqueue', 'unanswered');
    await expect(submit(session.id, 'first')).rejects.toMatchObject(unavailable);
    faults.fates.clear();
    expect(await submit(session.id, 'first')).toMatchObject({ outcome: 'dispatched' });
    (await eventually(() => agents.opened.at(-1)?.prompts[0])).answer({ accepted: true });
    await eventually(() => [...store.prompts.values()].map((row) => row.status).join() === 'delivered');
  });

  test('[S80, S142] lets go of a prompt that nobody sends again', async () => {
    const session = await bench.session();
    faults.fates.set('prompts.enqueue', 'unanswered');
    await expect(submit(session.id, 'first')).rejects.toMatchObject(unavailable);
    await eventually(() => store.prompts.size === 0);
  });

  test('[S114, S142] completes a deletion that was done', async () => {
    const { session } = await working();
    faults.fates.set('sessions.delete', 'unanswered');
    await expect(bench.vigil.deleteSession(session.id)).rejects.toMatchObject(unavailable);
    faults.fates.clear();
    await eventually(() => bench.vigil.activitySnapshot().sessions.length === 0);
    await eventually(() => agents.last.closes > 0);
  });

  test('[S114, S142] completes it also where an agent that is at work does not end at once', async () => {
    const { session, agent } = await working();
    faults.fates.set('sessions.delete', 'unanswered');
    await expect(bench.vigil.deleteSession(session.id)).rejects.toMatchObject(unavailable);
    const prompt = bench.vigil.prompt({ sessionId: session.id, text: 'again' }).catch(() => undefined);
    await eventually(() => agents.opened[1]);
    agents.last.closeFails = true;
    faults.fates.clear();
    await eventually(() => agents.opened.slice(1).some((one) => one.closes > 0));
    for (const one of agents.opened) one.closeFails = false;
    await eventually(() => bench.vigil.activitySnapshot().sessions.length === 0);
    await prompt;
    expect(agent.closes).toBeGreaterThan(0);
  });

  test('[S142] keeps nothing of a task that was not made for its caller', async () => {
    faults.fates.set('tasks.create', 'unanswered');
    await expect(bench.vigil.createTask({ title: 'A task' })).rejects.toMatchObject(unavailable);
    await eventually(() => store.tasks.size === 0);
  });

  test('[S82, S142] shows a removal that was done', async () => {
    const { session } = await working('second');
    const [entry] = (await bench.vigil.listQueue(session.id)).entries;
    faults.fates.set('prompts.remove', 'unanswered');
    const removal = bench.vigil.removeQueued({ sessionId: session.id, messageId: entry?.messageId ?? '' });
    await expect(removal).rejects.toMatchObject(unavailable);
    await bench.until(session.id, (one) => one.queuedPromptCount === 0);
  });
});

describe('a queue that is edited', () => {
  test.each(['edit', 'reorder', 'remove'] as const)(
    '[S81] [S82] drains when the %s that held it fails',
    async (what) => {
      const { session, agent, end } = await working('second');
      const [entry] = (await bench.vigil.listQueue(session.id)).entries;
      const { promise, resolve } = deferred<void>();
      const call = `prompts.${what}`;
      faults.holds.set(call, promise);
      faults.fates.set(call, 'unanswered');
      const [sessionId, messageId] = [session.id, entry?.messageId ?? ''];
      const editing = {
        edit: () => bench.vigil.editQueued({ sessionId, messageId, text: 'second' }),
        reorder: () => bench.vigil.reorderQueue({ sessionId, order: [messageId] }),
        remove: () => bench.vigil.removeQueued({ sessionId, messageId }),
      }[what]();
      await settled();
      end();
      await bench.until(session.id, 'waiting_for_input');
      resolve();
      await expect(editing).rejects.toMatchObject(unavailable);
      faults.fates.clear();
      await (what === 'remove'
        ? bench.until(session.id, (one) => one.queuedPromptCount === 0 && one.generation === null)
        : eventually(() => agent.prompts[1]));
      expect(agent.prompts).toHaveLength(what === 'remove' ? 1 : 2);
    },
  );

  test('[S82, S142] shows a removal that was done although it is moved meanwhile', async () => {
    const { session } = await working('second', 'third');
    const ids = (await bench.vigil.listQueue(session.id)).entries.map((one) => one.messageId);
    faults.fates.set('prompts.remove', 'unanswered');
    const removal = bench.vigil.removeQueued({ sessionId: session.id, messageId: ids[0] ?? '' });
    const { promise, resolve } = deferred<void>();
    faults.holds.set('prompts.get', promise);
    await expect(removal).rejects.toMatchObject(unavailable);
    const moving = bench.vigil.reorderQueue({ sessionId: session.id, order: ids });
    resolve();
    await expect(moving).rejects.toMatchObject({ reason: 'queue_changed' });
    expect((await bench.vigil.listQueue(session.id)).entries.map((one) => one.text)).toEqual(['third']);
  });
});

describe('a transcript', () => {
  test('[S81, S142] that cannot be read yet starts no agent, and its backlog runs once it can', async () => {
    const { session } = await working('second');
    await bench.vigil.close();
    faults.fates.set('messages.page', 'fails');
    const next = await bench.restart();
    await settled();
    await expect(next.vigil.getSession(session.id)).rejects.toMatchObject(unavailable);
    expect(agents.opened).toHaveLength(1);
    expect(next.vigil.activitySnapshot().sessions).toMatchObject([{ state: 'idle', queuedPromptCount: 1 }]);
    faults.fates.clear();
    (await eventually(() => agents.opened[1]?.prompts[0])).answer({ accepted: true });
    const { messages } = await next.vigil.getSession(session.id);
    expect(messages.flatMap((one) => (one.kind === 'user' ? [one.text] : []))).toEqual(['first', 'second']);
    await next.vigil.close();
  });

  test('[S111, S142] that is not stored yet is kept in memory when its execution ends', async () => {
    const { session, agent } = await working();
    faults.fates.set('messages.write', 'fails');
    agent.frame({ transcript: [{ type: 'message', id: 'm', role: 'assistant', text: 'kept', mode: 'append' }] });
    const { executionId } = await shown(session.id);
    await bench.vigil.teardown({ sessionId: session.id, executionId: executionId ?? '' });
    await settled();
    const { messages } = await bench.vigil.getSession(session.id);
    expect(messages.map((one) => one.kind)).toEqual(['user', 'assistant', 'notice']);
    faults.fates.clear();
    await eventually(() => bench.vigil.retained().writes === 0);
    expect((await bench.vigil.getSession(session.id)).messages).toEqual(messages);
  });
});

describe('a database that fails', () => {
  test('[S142] loses no write to a connection that breaks again and again', async () => {
    const { session, end } = await working();
    faults.failures.set('sessions.transition', 4);
    end();
    await eventually(() => store.sessions.get(session.id)?.state === 'waiting_for_input');
  });
});

describe('a strict prompt', () => {
  test('[S80, S141] whose sender was not told that it was taken is not sent by the next life', async () => {
    const session = await bench.session();
    void bench.vigil.prompt({ sessionId: session.id, text: 'now or never' }).catch(() => undefined);
    await eventually(() => agents.opened[0]?.prompts[0]);
    const next = await bench.restart();
    await settled();
    expect((await next.vigil.listQueue(session.id)).entries).toEqual([]);
    expect(agents.opened).toHaveLength(1);
    expect([...store.prompts.values()]).toMatchObject([{ status: 'dropped', reason: 'interrupted' }]);
    await next.vigil.close();
  });

  test('[S80, S141] of a task that is archived is not sent later, though a boot failed half-way', async () => {
    const session = await bench.session();
    void bench.vigil.prompt({ sessionId: session.id, text: 'now or never' }).catch(() => undefined);
    await eventually(() => agents.opened[0]?.prompts[0]);
    await bench.vigil.archiveTask(session.taskId);
    await eventually(() => [...store.prompts.values()][0]?.status === 'dropped');
    // As a server leaves it that is killed before it could write this.
    for (const [id, row] of store.prompts) store.prompts.set(id, { ...row, status: 'reserved' });
    faults.failures.set('tasks.list', 1);
    await expect(bench.restart()).rejects.toMatchObject({ code: 'database_unreachable' });
    const next = await bench.restart();
    await next.vigil.unarchiveTask(session.taskId);
    await next.vigil.setAutoRun({ sessionId: session.id, on: true });
    await settled();
    expect((await next.vigil.listQueue(session.id)).entries).toEqual([]);
    expect(agents.opened).toHaveLength(1);
    await next.vigil.close();
  });
});

describe('a session of which an earlier life left an agent that does not end', () => {
  test('[S114, S141] is not deleted, nor its task, until that agent is gone', async () => {
    const { session } = await working();
    let ends = false;
    const next = await startBench({
      database: bench.database,
      deps: {
        openAgent: agents.open,
        endLeftovers: async (rows) => (ends ? new Set() : new Set(rows.map((row) => row.id))),
      },
    });
    expect((await next.vigil.getSession(session.id)).session.liveness).toBe('unknown');
    const refusal = { code: 'conflict', reason: 'stop_failed' };
    await expect(next.vigil.deleteSession(session.id)).rejects.toMatchObject(refusal);
    await expect(next.vigil.deleteTask(session.taskId)).rejects.toMatchObject(refusal);
    await expect(next.vigil.stopAll(session.id)).rejects.toMatchObject(refusal);
    expect((await next.vigil.getSession(session.id)).session.state).toBe('idle');

    ends = true;
    await next.vigil.stopAll(session.id);
    expect((await next.vigil.getSession(session.id)).session.liveness).toBe('live');
    await next.vigil.deleteSession(session.id);
    await next.close();
  });
});

describe('a strict prompt of an archived task', () => {
  test('[S80, S141] that two lives left is not delivered when the task comes back', async () => {
    const { session } = await working();
    // As a first boot leaves it that ended between returning what was reserved and dropping what is not kept.
    const id = 'strict';
    await bench.database.prompts.enqueue({
      ...{ id, sessionId: session.id, clientKey: id, origin: 'human', text: 'strict' },
      status: 'queued',
    });
    await bench.vigil.archiveTask(session.taskId);
    const next = await startBench({ database: bench.database, deps: { openAgent: agents.open } });
    await next.vigil.unarchiveTask(session.taskId);
    await next.vigil.setAutoRun({ sessionId: session.id, on: true });
    await settled();

    expect((await next.vigil.listQueue(session.id)).entries).toEqual([]);
    expect(store.prompts.get(id)).toMatchObject({ status: 'dropped', reason: 'interrupted' });
    expect(agents.opened.flatMap((agent) => agent.prompts.map((one) => one.text))).toEqual(['first']);
    await next.close();
  });
});
