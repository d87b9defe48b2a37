import { DatabaseError } from '@vigil/db';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WriteBehind } from '../src/write-behind.ts';
import { type Bench, startBench } from './bench.ts';
import { FakeAgents } from './fake-agent.ts';
import { memoryDatabase } from './memory-database.ts';
import { eventually } from './settle.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };

describe('a database that is down', () => {
  let down = false;
  let agents: FakeAgents;
  let bench: Bench;
  let database: ReturnType<typeof memoryDatabase>;

  beforeEach(async () => {
    down = false;
    agents = new FakeAgents();
    database = memoryDatabase(() =>
      down ? Promise.reject(new DatabaseError('database_unreachable', 'it is down')) : Promise.resolve(),
    );
    bench = await startBench({ database, deps: { openAgent: agents.open } });
  });

  afterEach(async () => {
    down = false;
    await bench.close();
  });

  test('[S142] does not hold up the live reading, and what happened is written once it is back', async () => {
    const session = await bench.session();
    const sent = await bench.vigil.submit({ sessionId: session.id, text: 'first', clientKey: 'a' });
    const prompt = await eventually(() => agents.opened[0]?.prompts[0]);
    down = true;
    prompt.answer({ accepted: true });
    agents.last.says({ kind: 'rpc.settled', generation: prompt.generation, stopReason: 'end_turn' });
    const settled = await bench.until(session.id, 'waiting_for_input');
    expect(settled.foregroundActivity).toBeNull();
    expect(database.rows.get(sent.messageId)?.status).toBe('reserved');
    down = false;
    await eventually(() => database.rows.get(sent.messageId)?.status === 'delivered');
  });

  test('[S80] refuses a submission that it cannot keep, and gives the foreground back', async () => {
    const session = await bench.session();
    down = true;
    const refusal = bench.vigil.submit({ sessionId: session.id, text: 'first', clientKey: 'a' });
    await expect(refusal).rejects.toMatchObject({ code: 'unavailable' });
    down = false;
    expect((await bench.vigil.listQueue(session.id)).entries).toEqual([]);
    expect(await bench.vigil.submit({ sessionId: session.id, text: 'again', clientKey: 'a' })).toMatchObject({
      outcome: 'dispatched',
    });
  });

  test('[S142] leaves a queued prompt in its place until it can be reserved', async () => {
    const session = await bench.session();
    await bench.vigil.submit({ sessionId: session.id, text: 'first', clientKey: 'a' });
    const first = await eventually(() => agents.opened[0]?.prompts[0]);
    first.answer({ accepted: true });
    await bench.vigil.submit({ sessionId: session.id, text: 'second', clientKey: 'b' });
    down = true;
    agents.last.says({ kind: 'rpc.settled', generation: first.generation, stopReason: 'end_turn' });
    const kept = await bench.until(
      session.id,
      (one) => one.state === 'waiting_for_input' && one.queuedPromptCount === 1,
    );
    expect(kept).toMatchObject({ generation: null, inputMode: 'direct' });
    expect(agents.last.prompts).toHaveLength(1);
    down = false;
    await eventually(() => agents.last.prompts[1]?.text === 'second');
  });
});

describe('writing behind', () => {
  const behind = (write: (batch: readonly (readonly [string, number])[]) => Promise<void>, limit = 100) =>
    new WriteBehind<number>({ name: 'tests', write, intervalMs: 0, limit, log });

  test('[S142] writes the newest value per key, in order, and tries again what failed', async () => {
    const written: [string, number][][] = [];
    let fails = true;
    const writer = behind((batch) => {
      if (fails) return Promise.reject(new Error('down'));
      written.push(batch.map(([key, value]) => [key, value]));
      return Promise.resolve();
    });
    writer.put('a', 1);
    writer.put('b', 1);
    await eventually(() => writer.trouble !== null);
    writer.put('a', 2);
    writer.put('c', 1);
    fails = false;
    await writer.flush();
    expect(written.flat()).toEqual([
      ['a', 2],
      ['b', 1],
      ['c', 1],
    ]);
    expect(writer.trouble).toBeNull();
  });

  test('[S142] gives up the oldest beyond its limit, and says so', async () => {
    const writer = behind(() => Promise.resolve(), 2);
    for (const key of ['a', 'b', 'c']) writer.put(key, 1);
    await writer.flush();
    expect(writer.trouble).toBe('1 writes of tests were given up');
  });
});
