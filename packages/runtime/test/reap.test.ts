import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { usedBy } from '../src/reap.ts';
import { type Bench, startBench } from './bench.ts';

let bench: Bench;

const start = async (idleStopAfterMs: number) => {
  bench = await startBench({ config: { idleStopAfterMs } });
};
const submit = (sessionId: string, text: string, clientKey = text) =>
  bench.vigil.submit({ sessionId, text, clientKey });

/** Made and reaped after what is looked at: the pass that ends it has seen all older ones. */
async function anotherIsReaped(): Promise<void> {
  const other = await bench.session();
  await submit(other.id, '/say hello');
  await bench.until(other.id, 'waiting_for_input');
  await bench.until(other.id, 'idle');
}

afterEach(() => bench.close());

describe('an execution that is not used', () => {
  beforeEach(() => start(40));

  test('[S116] [S11] is ended, says so, and the next prompt starts another', async () => {
    const session = await bench.session();
    await submit(session.id, '/say one');
    await bench.until(session.id, 'waiting_for_input');
    expect(await bench.until(session.id, 'idle')).toMatchObject({
      executionId: null,
      error: null,
      inputMode: 'direct',
    });
    await bench.transcript(session.id, (all) =>
      all.some((one) => one.kind === 'notice' && one.code === 'idle_stopped'),
    );
    await submit(session.id, '/say two');
    await bench.transcript(session.id, (all) => all.some((one) => one.kind === 'assistant' && one.text === 'two'));
  });

  test.each([
    ['a turn at work', '/wait until released gate'],
    ['a permission that is asked for', '/permission Write'],
    ['a shell in the background', '/shell gate until released'],
    ['a subagent in the background', '/subagent gate until released'],
  ])('[S116] is used by %s', async (_name, script) => {
    const session = await bench.session();
    await submit(session.id, script);
    const used = await bench.until(session.id, ({ generation, pendingRequests, workloads }) =>
      script.startsWith('/permission') ? pendingRequests.length > 0 : generation !== null || workloads.length > 0,
    );
    await anotherIsReaped();
    expect((await bench.vigil.getSession(session.id)).session.executionId).toBe(used.executionId);
  });

  test('[S116] [S50] takes no prompt along: each is delivered once, however often agents are ended between', async () => {
    await bench.close();
    await start(1);
    const session = await bench.session();
    const texts = Array.from({ length: 12 }, (_, index) => `n${index}`);
    for (const text of texts) {
      const { outcome } = await submit(session.id, `/say ${text}`);
      expect(outcome).not.toBe('refused');
      await bench.until(session.id, ({ state, queuedPromptCount }) => state !== 'running' && queuedPromptCount === 0);
    }
    const messages = await bench.transcript(session.id, (all) =>
      all.some((one) => one.kind === 'assistant' && one.text === 'n11'),
    );
    expect(messages.flatMap((one) => (one.kind === 'assistant' ? [one.text] : []))).toEqual(texts);
    expect(messages.filter((one) => one.kind === 'user').map((one) => one.status)).toEqual(
      texts.map(() => 'dispatched'),
    );
  });
});

describe('use', () => {
  beforeEach(() => start(60_000));

  test('[S116] is a claim, a request, live work, a follow-up and a timer; without any of them there is none', async () => {
    const session = await bench.session();
    await submit(session.id, '/say hello');
    const shown = await bench.until(session.id, 'waiting_for_input');
    const of = (changes: object, rest: object = {}) =>
      usedBy(
        { shown: { ...shown, ...changes }, requests: new Map(), queue: { reserved: undefined }, ...rest },
        { id: shown.executionId ?? '' },
      );
    expect(of({})).toBeNull();
    expect(of({ state: 'running', generation: 7, inputMode: 'queue' })).toBe('a prompt');
    expect(of({ inputMode: 'queue' })).toBe('a prompt');
    expect(of({ executionId: 'another' })).toBe('a prompt');
    expect(of({}, { queue: { reserved: {} } })).toBe('a prompt');
    expect(of({}, { requests: new Map([['r', {}]]) })).toBe('a pending request');
    expect(of({ workloads: [{}] })).toBe('background work');
    expect(of({ awaitingFollowUp: true })).toBe('a follow-up that is to come');
    expect(of({ mayWake: true })).toBe('a timer that may wake it');
  });
});
