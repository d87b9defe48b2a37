import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Message } from '../src/index.ts';
import { type Bench, startBench } from './bench.ts';
import { FakeAgents, type FakeConnection } from './fake-agent.ts';
import { eventually } from './settle.ts';

const STALL_AFTER_MS = 300_000;
/** More than one look at all executions. */
const LOOKS_MS = 120_000;

let agents: FakeAgents;
let bench: Bench;
let now: number;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  now = Date.parse('2026-01-01');
  agents = new FakeAgents();
  bench = await startBench({
    deps: { openAgent: agents.open, now: () => now },
    config: { stallAfterMs: STALL_AFTER_MS, cancelAfterMs: 20 },
  });
});

afterEach(async () => {
  vi.useRealTimers();
  await bench.close();
});

function quiet(ms: number): void {
  now += ms;
  vi.advanceTimersByTime(LOOKS_MS);
}

/** A turn at work; `at`: which prompt of its agent it is. */
async function working(sessionId: string, at = 0): Promise<{ agent: FakeConnection; generation: number }> {
  void bench.vigil.submit({ sessionId, text: `turn ${at}`, clientKey: `turn ${at}` });
  const prompt = await eventually(() => agents.opened.at(-1)?.prompts[at]);
  prompt.answer({ accepted: true });
  await bench.until(sessionId, 'running');
  return { agent: agents.last, generation: prompt.generation };
}

async function notices(sessionId: string): Promise<string[]> {
  const { messages } = await bench.vigil.getSession(sessionId);
  const stalls = (one: Message) => (one.kind === 'notice' && one.code === 'stalled' ? [one.text] : []);
  return messages.flatMap(stalls);
}

describe('a turn that is quiet for long', () => {
  test('[S130] gets one notice, and the next turn its own', async () => {
    const { id } = await bench.session();
    const first = await working(id);
    quiet(STALL_AFTER_MS - 1);
    expect(await notices(id)).toEqual([]);
    quiet(1);
    quiet(STALL_AFTER_MS);
    expect(await notices(id)).toEqual([expect.stringMatching(/Nothing was heard .* 5 min.* the agent itself.*Cancel/)]);
    expect((await bench.vigil.getSession(id)).session).toMatchObject({
      state: 'running',
      executionId: expect.any(String),
    });

    first.agent.says({ kind: 'rpc.settled', generation: first.generation, stopReason: 'end_turn' });
    await bench.until(id, 'waiting_for_input');
    await working(id, 1);
    quiet(STALL_AFTER_MS);
    expect(await notices(id)).toHaveLength(2);
  });

  test('[S130] is not quiet while anything is heard of it', async () => {
    const { id } = await bench.session();
    const { agent } = await working(id);
    for (let time = 0; time < 4; time += 1) {
      quiet(STALL_AFTER_MS - 1);
      agent.says({ kind: 'output' });
    }
    expect(await notices(id)).toEqual([]);
  });

  test('[S130] is told with the tool call, or with the question, that it waits on', async () => {
    const [tool, asks] = [await bench.session(), await bench.session()];
    const { agent } = await working(tool.id);
    agent.frame({ transcript: [{ type: 'tool', id: 't', title: 'npm test', status: 'in_progress' }] });
    const asking = await working(asks.id);
    const request = { id: 'r', kind: 'permission', title: 'May I push?', detail: null, askedBy: null } as const;
    asking.agent.frame({
      requests: [{ type: 'opened', request: { ...request, background: false, options: [], schema: null } }],
    });
    quiet(STALL_AFTER_MS);
    expect(await notices(tool.id)).toEqual([expect.stringContaining('It waits on the tool call "npm test".')]);
    expect(await notices(asks.id)).toEqual([expect.stringContaining('It waits on an answer to "May I push?".')]);
  });

  test('[S130] [S131] ends by a cancel, though its agent never answers that either', async () => {
    const { id } = await bench.session();
    await working(id);
    quiet(STALL_AFTER_MS);
    expect(await notices(id)).toHaveLength(1);
    expect(await bench.vigil.cancel({ sessionId: id })).toEqual({ outcome: 'cancelling' });
    expect(await bench.until(id, 'waiting_for_input')).toMatchObject({ stopReason: 'cancelled', inputMode: 'direct' });
  });
});

describe('background work that is quiet for long', () => {
  test('[S130] is no stall', async () => {
    vi.useRealTimers();
    await bench.close();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    bench = await startBench({ deps: { now: () => now }, config: { stallAfterMs: STALL_AFTER_MS } });
    for (const agentId of ['mock', 'mock-v2']) {
      const { id } = await bench.session(agentId);
      await bench.vigil.submit({ sessionId: id, text: '/shell build until released', clientKey: 'a' });
      await bench.until(id, (one) => one.state === 'waiting_for_input' && one.workloads.length === 1);
      quiet(STALL_AFTER_MS * 3);
      expect(await notices(id)).toEqual([]);
    }
  });
});

describe('an agent that never speaks', () => {
  test('[S130] [S80] fails its session within the time for it, with the command and its last words', async () => {
    vi.useRealTimers();
    const script = 'echo starting >&2; echo no licence found >&2; exec sleep 60';
    const launch = {
      agentId: 'mute',
      provider: 'generic',
      command: '/bin/sh',
      args: ['-c', script],
      env: {},
      cwd: '/',
    };
    const other = await startBench({
      deps: { agents: { list: () => [], launch: () => ({ launch }) } },
      config: { startTimeoutMs: 300 },
    });
    const { id } = await other.session('mute');
    await other.vigil.submit({ sessionId: id, text: 'hello', clientKey: 'a' });
    const failed = await other.until(id, 'failed');
    expect(failed).toMatchObject({ executionId: null, autoRun: false, queuedPromptCount: 1 });
    expect(failed.error).toContain('/bin/sh');
    expect(failed.error).toContain('no licence found');
    const { entries } = await other.vigil.listQueue(id);
    expect(entries).toEqual([expect.objectContaining({ text: 'hello', error: failed.error })]);
    await other.close();
  });
});
