import type { TranscriptEvent } from '@vigil/acp';
import { openTestDatabase } from '@vigil/db/testing';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Bench, startBench } from './bench.ts';
import { FakeAgents, type FakeConnection } from './fake-agent.ts';
import { eventually } from './settle.ts';
import { startedCall } from './world/evidence.ts';

// The cards of tool calls at the end of a turn: what its foreground left open is closed, nothing else is (S65).

const database = await openTestDatabase();
let agents: FakeAgents;
let bench: Bench;

beforeEach(async () => {
  agents = new FakeAgents({ handoff: true, reports: true });
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

const card = (id: string, more: Partial<Extract<TranscriptEvent, { type: 'tool' }>> = {}): TranscriptEvent => ({
  type: 'tool',
  id,
  title: id,
  status: 'in_progress',
  ...more,
});

/** A turn at work that shows these cards. */
async function turn(...cards: readonly TranscriptEvent[]) {
  const { id } = await bench.session();
  void bench.vigil.submit({ sessionId: id, text: 'first', clientKey: 'first' });
  const agent = await eventually(() => agents.opened.at(-1));
  const prompt = await eventually(() => agent.prompts[0]);
  prompt.answer({ accepted: true });
  agent.frame({ transcript: cards });
  return { id, agent, generation: prompt.generation };
}

function ends(agent: FakeConnection, generation: number, stopReason = 'end_turn'): void {
  agent.says({ kind: 'rpc.settled', generation, stopReason });
}

/** Status of each card, by its title. */
async function cards(sessionId: string): Promise<Record<string, string>> {
  const { messages } = await bench.vigil.getSession(sessionId);
  return Object.fromEntries(messages.flatMap((one) => (one.kind === 'tool' ? [[one.title, one.status]] : [])));
}

describe('the cards of a turn that ends', () => {
  test('[S65] are closed where the agent left them open, and tell that no end of theirs was heard', async () => {
    const { id, agent, generation } = await turn(card('open'), card('done', { status: 'completed' }));
    ends(agent, generation);
    await bench.until(id, 'waiting_for_input');

    expect(await cards(id)).toEqual({ open: 'unknown', done: 'completed' });
  });

  test('[S65, S131] are cancelled with a cancelled turn, also where the agent never answers the cancel', async () => {
    const { id } = await turn(card('open'), card('child', { parentToolCallId: 'open' }));
    await bench.vigil.cancel({ sessionId: id });
    await bench.until(id, 'waiting_for_input');

    expect(await cards(id)).toEqual({ open: 'cancelled', child: 'cancelled' });
  });

  test('[S65] take a terminal that comes late', async () => {
    const { id, agent, generation } = await turn(card('open'));
    ends(agent, generation);
    await bench.until(id, 'waiting_for_input');
    agent.frame({ transcript: [card('open', { status: 'completed' })] });

    expect(await cards(id)).toEqual({ open: 'completed' });
  });

  test('[S65] stay open where they are background work, or within it', async () => {
    const { id, agent, generation } = await turn(
      card('job'),
      card('of the job', { parentToolCallId: 'job' }),
      card('child session', { toolKind: 'subagent' }),
      card('of the child', { parentToolCallId: 'child session' }),
      card('plain'),
    );
    agent.says(startedCall('job'));
    ends(agent, generation);
    await bench.until(id, 'waiting_for_input');

    expect(await cards(id)).toEqual({
      job: 'in_progress',
      'of the job': 'in_progress',
      'child session': 'in_progress',
      'of the child': 'in_progress',
      plain: 'unknown',
    });
  });
});
