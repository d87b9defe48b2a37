import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Bench, collect, startBench } from './bench.ts';

let bench: Bench;

beforeEach(async () => {
  bench = await startBench();
});

afterEach(() => bench.close());

test('[S80] a prompt to a created session is dispatched at once, starts its agent and streams its answer', async () => {
  const watching = collect(bench.vigil);
  const session = await bench.session('mock');
  const sent = await bench.vigil.submit({ sessionId: session.id, text: '/say hello there', clientKey: 'one' });
  expect(sent).toMatchObject({ outcome: 'dispatched', reason: null, epoch: bench.vigil.epoch });
  expect(sent.generation).toBeGreaterThan(0);
  const messages = await bench.transcript(session.id, (all) => all.some((one) => one.kind === 'notice'));
  expect(messages.map((one) => one.kind)).toEqual(['user', 'assistant', 'notice']);
  expect(messages[0]).toMatchObject({ id: sent.messageId, status: 'dispatched', generation: sent.generation });
  expect(messages[1]).toMatchObject({ text: 'hello there' });
  await bench.until(session.id, 'waiting_for_input');
  const events = await watching.stop();
  const states = events.flatMap((event) => (event.type === 'session.state_changed' ? [event.state] : []));
  expect(states).toEqual(['starting', 'running', 'waiting_for_input']);
  const tiers = events.flatMap((event) => (event.type === 'session.activity_changed' ? [event.foregroundActivity] : []));
  expect(tiers).toEqual(['generating', null]);
  const revisions = events.map((event) => event.revision);
  expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
});
