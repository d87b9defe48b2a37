import type { TranscriptEvent } from '@vigil/acp';
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

type Told = Partial<Extract<TranscriptEvent, { type: 'tool' }>> & { opens?: boolean; background?: boolean };

/** A frame of a tool call, as a reader would give it. */
function tool(agent: FakeConnection, id: string, { opens = true, background, ...told }: Told = {}) {
  const closed = told.status === 'completed' || told.status === 'failed';
  const child = told.parentToolCallId !== undefined;
  agent.frame({
    facts: [{ kind: 'tool', toolCallId: id, opens, child, closed, ...(background && { background }) }],
    transcript: [{ type: 'tool', id, title: id, status: 'in_progress', ...told }],
  });
}

async function prompted(text: string, session?: string) {
  const sessionId = session ?? (await bench.session()).id;
  const before = agents.opened.flatMap((one) => one.prompts).length;
  void bench.vigil.submit({ sessionId, text, clientKey: text });
  await eventually(() => agents.opened.flatMap((one) => one.prompts).length > before);
  const agent = agents.last;
  agent.accept(agent.prompts.length - 1);
  await bench.until(sessionId, 'running');
  return { sessionId, agent, generation: agent.prompts.at(-1)?.generation ?? 0 };
}

/** Status of each card, and whether it says when it ended. */
async function cards(sessionId: string) {
  const { messages } = await bench.vigil.getSession(sessionId);
  const tools = messages.flatMap((one) => (one.kind === 'tool' ? [one] : []));
  for (const one of tools) expect(one.endedAt === null).toBe(one.status === 'in_progress');
  return Object.fromEntries(tools.map((one) => [one.title, one.status]));
}

const settle = (agent: FakeConnection, generation: number, stopReason = 'end_turn') =>
  agent.says({ kind: 'rpc.settled', generation, stopReason });

test('[S65] calls that were never closed end with their turn, as the turn ended; a late word does not open them again', async () => {
  for (const [stopReason, status] of [
    ['end_turn', 'unknown'],
    ['cancelled', 'cancelled'],
    ['max_tokens', 'unknown'],
  ] as const) {
    const { sessionId, agent, generation } = await prompted(stopReason);
    tool(agent, 'open');
    tool(agent, 'nested', { parentToolCallId: 'open' });
    tool(agent, 'failed', { status: 'failed' });
    settle(agent, generation, stopReason);
    await bench.until(sessionId, 'waiting_for_input');
    expect(await cards(sessionId)).toEqual({ open: status, nested: status, failed: 'failed' });
    tool(agent, 'open', { opens: false });
    expect((await cards(sessionId)).open).toBe(status);
    tool(agent, 'open', { status: 'failed', opens: false });
    expect((await cards(sessionId)).open).toBe('failed');
  }
});

test('[S65] what belongs to detached work stays open at the end of the turn, until its own', async () => {
  const { sessionId, agent, generation } = await prompted('go');
  tool(agent, 'sub');
  agent.says(started('sub', 'subagent', { call: 'sub' }));
  tool(agent, 'sub', { status: 'completed', opens: false });
  tool(agent, 'inner', { parentToolCallId: 'sub' });
  tool(agent, 'innermost', { parentToolCallId: 'inner' });
  agent.says(started('build', 'shell', { call: 'shell' }));
  tool(agent, 'shell', { background: true });
  tool(agent, 'open');
  settle(agent, generation);
  await bench.until(sessionId, 'waiting_for_input');
  expect(await cards(sessionId)).toEqual({
    sub: 'completed',
    inner: 'in_progress',
    innermost: 'in_progress',
    shell: 'in_progress',
    open: 'unknown',
  });
  tool(agent, 'inner', { status: 'completed', opens: false });
  expect((await cards(sessionId)).inner).toBe('completed');
});

test('[S65] what was live at a handoff stays open at the successor’s end; a cancel closes every call', async () => {
  const { sessionId, agent, generation } = await prompted('first');
  agent.says(started('sub', 'subagent', { call: 'sub' }));
  tool(agent, 'sub', { status: 'completed' });
  tool(agent, 'inner', { parentToolCallId: 'sub' });
  tool(agent, 'before');
  agent.says({ kind: 'yielded', generation });
  await bench.until(sessionId, (one) => one.inputMode === 'direct');
  const second = await prompted('second', sessionId);
  tool(agent, 'after');
  settle(agent, second.generation);
  await bench.until(sessionId, 'waiting_for_input');
  expect(await cards(sessionId)).toMatchObject({ inner: 'in_progress', before: 'in_progress', after: 'unknown' });
  const third = await prompted('third', sessionId);
  await bench.vigil.cancel({ sessionId });
  settle(agent, third.generation, 'cancelled');
  await bench.until(sessionId, 'waiting_for_input');
  expect(await cards(sessionId)).toMatchObject({ inner: 'cancelled', before: 'cancelled', after: 'unknown' });
  agent.says(ended('sub'));
});

test('[S65, S110] parents that go round do not hang the end of a turn', async () => {
  const { sessionId, agent, generation } = await prompted('go');
  tool(agent, 'one', { parentToolCallId: 'two' });
  tool(agent, 'two', { parentToolCallId: 'one' });
  settle(agent, generation);
  await bench.until(sessionId, 'waiting_for_input');
  expect(await cards(sessionId)).toEqual({ one: 'unknown', two: 'unknown' });
});
