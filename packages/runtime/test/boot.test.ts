import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Message } from '../src/index.ts';
import { type Bench, startBench } from './bench.ts';
import { deferred, FakeAgents } from './fake-agent.ts';
import { eventually } from './settle.ts';

describe('a restart', () => {
  let bench: Bench;
  let next: Bench | null = null;

  beforeAll(async () => {
    bench = await startBench();
  });

  afterEach(() => next?.vigil.close());

  afterAll(() => bench.close());

  test('[S141] hard case 26: ends the agent that an earlier life left, and no live reading survives', async () => {
    const session = await bench.session('mock');
    await bench.vigil.submit({
      sessionId: session.id,
      text: '/subagent A until released\n/tool Build for 600s',
      clientKey: 'a',
    });
    await bench.until(session.id, (one) => one.activeSubagentCount === 1);
    const isBuild = (message: Message) => message.kind === 'tool' && message.title === 'Build';
    await bench.transcript(session.id, (all) => all.some(isBuild));
    const stored = async () => JSON.stringify(await bench.database.messages.page(session.id));
    await vi.waitUntil(async () => (await stored()).includes('"Build"'), { timeout: 10_000 });
    // The first life is left as it is: its rows say running, its agent lives.
    const [row] = await rowsOnceOpen(bench, session.id);
    expect(row?.pid).toBeGreaterThan(0);
    next = await bench.restart();
    const { session: now } = await next.vigil.getSession(session.id);
    expect(now).toMatchObject({
      state: 'idle',
      stopReason: 'interrupted',
      executionId: null,
      foregroundActivity: null,
      activeSubagentCount: 0,
      liveness: 'live',
      workloads: [],
    });
    expect(next.vigil.epoch).not.toBe(bench.vigil.epoch);
    await expect(readFile(`/proc/${row?.pid}/environ`)).rejects.toThrow();
    const { messages } = await next.vigil.getSession(session.id);
    expect(messages[0]).toMatchObject({ kind: 'user' });
    // Nothing in the transcript seems to go on.
    expect(messages.find(isBuild)).toMatchObject({ status: 'cancelled', endedAt: expect.any(String) });
    expect(messages.at(-1)).toMatchObject({ kind: 'notice', code: 'turn_ended', level: 'warning' });
    await next.vigil.submit({ sessionId: session.id, text: '/say again', clientKey: 'b' });
    await next.transcript(session.id, (all) => all.some((one) => one.kind === 'assistant' && one.text === 'again'));
  });

  test('[S141] never touches a stranger that got the pid', async () => {
    const stranger = spawn('sleep', ['30']);
    await once(stranger, 'spawn');
    const session = await bench.session('mock');
    await bench.database.executions.start({
      id: 'old',
      sessionId: session.id,
      pid: stranger.pid ?? 0,
      processStartTime: '1',
    });
    next = await bench.restart();
    expect(stranger.exitCode).toBeNull();
    expect(stranger.signalCode).toBeNull();
    expect((await bench.database.executions.get('old'))?.cause).toBe('stopped');
    stranger.kill();
  });
});

async function rowsOnceOpen(bench: Bench, sessionId: string) {
  for (;;) {
    const rows = await bench.database.executions.list(sessionId);
    const state = (await bench.database.sessions.get(sessionId))?.state;
    if (rows[0]?.pid != null && state === 'running') return rows;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('a boot with prompts', () => {
  let agents: FakeAgents;
  let bench: Bench;

  beforeEach(async () => {
    agents = new FakeAgents();
    bench = await startBench({ deps: { openAgent: agents.open } });
  });

  afterEach(() => bench.close());

  test('[S141] returns what was reserved and not accepted to the head, and drains it', async () => {
    const session = await bench.session();
    const { promise } = deferred<void>();
    agents.gate = promise;
    const sent = await bench.vigil.submit({ sessionId: session.id, text: 'first', clientKey: 'a' });
    await bench.vigil.submit({ sessionId: session.id, text: 'second', clientKey: 'b' });
    agents.gate = Promise.resolve();
    const next = await bench.restart();
    await eventually(() => agents.opened[0]?.prompts[0]?.text === 'first');
    agents.last.accept(0);
    expect((await next.vigil.listQueue(session.id)).entries.map((one) => one.text)).toEqual(['second']);
    expect(await next.vigil.submit({ sessionId: session.id, text: 'first', clientKey: 'a' })).toMatchObject({
      messageId: sent.messageId,
    });
    await next.vigil.close();
  });

  test('[S56] does not send again what was accepted', async () => {
    const session = await bench.session();
    await bench.vigil.submit({ sessionId: session.id, text: 'first', clientKey: 'a' });
    (await eventually(() => agents.opened[0]?.prompts[0])).answer({ accepted: true });
    while ((await bench.database.prompts.findByKey(session.id, 'a'))?.status !== 'delivered') {
      await new Promise((resolve) => setImmediate(resolve));
    }
    const next = await bench.restart();
    const { session: now, queue } = await next.vigil.getSession(session.id);
    expect(now).toMatchObject({ state: 'idle', stopReason: 'interrupted', queuedPromptCount: 0 });
    expect(queue.entries).toEqual([]);
    expect(agents.opened).toHaveLength(1);
    await next.vigil.close();
  });

  test('[S56, S141] keeps what was sent and never confirmed for a person, and says why', async () => {
    const session = await bench.session();
    await bench.vigil.submit({ sessionId: session.id, text: 'first', clientKey: 'a' });
    await eventually(() => agents.opened[0]?.prompts[0]);
    await bench.vigil.submit({ sessionId: session.id, text: 'second', clientKey: 'b' });
    const next = await bench.restart();
    const { queue } = await next.vigil.getSession(session.id);
    expect(queue).toMatchObject({
      autoRun: false,
      entries: [{ text: 'first', reason: 'delivery_unknown' }, { text: 'second' }],
    });
    expect(agents.opened).toHaveLength(1);
    const [first] = queue.entries;
    await next.vigil.sendNow({ sessionId: session.id, messageId: first?.messageId ?? '' });
    expect((await eventually(() => agents.opened[1]?.prompts[0])).text).toBe('first');
    await next.vigil.close();
  });

  test('[S56, S141] a clean stop keeps what was sent and never confirmed for a person too', async () => {
    const session = await bench.session();
    await bench.vigil.submit({ sessionId: session.id, text: 'first', clientKey: 'a' });
    await eventually(() => agents.opened[0]?.prompts[0]);
    await bench.vigil.close();
    const next = await bench.restart();
    expect((await next.vigil.getSession(session.id)).queue).toMatchObject({
      autoRun: false,
      entries: [{ text: 'first', reason: 'delivery_unknown' }],
    });
    expect(agents.opened).toHaveLength(1);
    await next.vigil.close();
  });

  test('[S141] a clean stop leaves sessions idle, and the queue with auto-run on', async () => {
    const session = await bench.session();
    await bench.vigil.submit({ sessionId: session.id, text: 'first', clientKey: 'a' });
    (await eventually(() => agents.opened[0]?.prompts[0])).answer({ accepted: true });
    await bench.vigil.submit({ sessionId: session.id, text: 'second', clientKey: 'b' });
    await bench.vigil.close();
    expect(await bench.database.sessions.get(session.id)).toMatchObject({
      state: 'idle',
      stopReason: 'interrupted',
      autoRun: true,
    });
    expect((await bench.database.executions.list(session.id))[0]).toMatchObject({ cause: 'stopped' });
    const next = await bench.restart();
    expect((await eventually(() => agents.opened[1]?.prompts[0])).text).toBe('second');
    await next.vigil.close();
  });
});

describe('a survivor of an earlier life', () => {
  test('[S9] [S114] hard case 26: is ended before anything of its session, which is neither run nor removed until then', async () => {
    let survives = true;
    const agents = new FakeAgents();
    const bench = await startBench({
      deps: {
        openAgent: agents.open,
        endLeftovers: async (rows) => new Set(survives ? rows.map((row) => row.id) : []),
      },
    });
    const session = await bench.session();
    await bench.vigil.submit({ sessionId: session.id, text: 'first', clientKey: 'a' });
    (await eventually(() => agents.opened[0]?.prompts[0])).answer({ accepted: true });
    await rowsOnceOpen(bench, session.id);
    const { vigil, database } = await bench.restart();

    expect((await vigil.getSession(session.id)).session).toMatchObject({ state: 'idle', liveness: 'unknown' });
    expect(await vigil.submit({ sessionId: session.id, text: 'second', clientKey: 'b' })).toMatchObject({
      outcome: 'queued',
    });
    for (const refused of [
      vigil.deleteSession(session.id),
      vigil.deleteTask(session.taskId),
      vigil.stopAll(session.id),
    ])
      await expect(refused).rejects.toMatchObject({ code: 'conflict', reason: 'stop_failed' });
    expect(agents.opened).toHaveLength(1);
    expect(await database.sessions.get(session.id)).not.toBeNull();
    expect(vigil.retained().executions).toBe(1);

    survives = false;
    await vigil.stopAll(session.id);
    expect((await vigil.getSession(session.id)).session).toMatchObject({ liveness: 'live', queuedPromptCount: 1 });
    await vigil.deleteTask(session.taskId);
    expect(vigil.retained()).toMatchObject({ known: 0, executions: 0 });
    await vigil.close();
    await bench.close();
  });
});
