import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bench, startBench } from './bench.ts';

describe('with the toggle on', () => {
  let bench: Bench;

  beforeAll(async () => {
    bench = await startBench({ config: { features: { handoff: true, reported: null } } });
  });

  afterAll(() => bench.close());

  test('[S60] [S64] hard case 13: an attested idle with background work hands the foreground to one human prompt', async () => {
    const { vigil } = bench;
    const session = await bench.session('mock');
    await vigil.submit({
      sessionId: session.id,
      text: '/subagent A until released\n/idle\n/wait until released over',
      clientKey: 'a',
    });
    const yielded = await bench.until(session.id, (one) => one.foregroundActivity === 'background');
    expect(yielded).toMatchObject({ state: 'running', policy: 'fine', inputMode: 'direct', activeSubagentCount: 1 });
    const both = await Promise.all(
      ['b', 'c'].map((key) => vigil.submit({ sessionId: session.id, text: `/say ${key}`, clientKey: key })),
    );
    expect(both.map((one) => one.outcome)).toEqual(['dispatched', 'queued']);
    await bench.release('over');
    const messages = await bench.transcript(session.id, (all) =>
      all.some((one) => one.kind === 'assistant' && one.text === 'c'),
    );
    const kinds = messages.map((one) => (one.kind === 'notice' ? one.code : one.kind));
    expect(kinds.indexOf('turn_ended')).toBeLessThan(
      messages.findIndex((one) => one.kind === 'user' && one.text === '/say b'),
    );
    await bench.release('A');
    await bench.until(session.id, (one) => one.activeSubagentCount === 0 && one.inputMode === 'direct');
  });

  test('[S61] hard case 12: a wake-up waits for the turn that owns the foreground and for every human prompt', async () => {
    const { vigil } = bench;
    const session = await bench.session('mock');
    const submit = (text: string, origin: 'human' | 'wakeup') =>
      vigil.submit({ sessionId: session.id, text, clientKey: text, origin });
    await submit('/wait until released first', 'human');
    await bench.until(session.id, 'running');
    await submit('/say wake', 'wakeup');
    await submit('/say human', 'human');
    expect((await vigil.listQueue(session.id)).entries.map((one) => one.origin)).toEqual(['human', 'wakeup']);
    await bench.release('first');
    const messages = await bench.transcript(session.id, (all) =>
      all.some((one) => one.kind === 'assistant' && one.text === 'wake'),
    );
    const said = messages.flatMap((one) => (one.kind === 'assistant' ? [one.text] : []));
    expect(said).toEqual(['human', 'wake']);
  });

  test('[S61] hard case 28: a wake-up that waits when the turn is cancelled is dropped, and its key tells so', async () => {
    const { vigil } = bench;
    const session = await bench.session('mock');
    await vigil.submit({ sessionId: session.id, text: '/wait until released never', clientKey: 'a' });
    await bench.until(session.id, 'running');
    const wake = { sessionId: session.id, text: 'wake', clientKey: 'w', origin: 'wakeup' as const };
    await vigil.submit(wake);
    await vigil.cancel({ sessionId: session.id });
    const settled = await bench.until(session.id, 'waiting_for_input');
    expect(settled).toMatchObject({ stopReason: 'cancelled', queuedPromptCount: 0, autoRun: true });
    expect(await vigil.submit(wake)).toMatchObject({ outcome: 'queued', reason: 'dropped' });
    const { messages } = await vigil.getSession(session.id);
    expect(messages.at(-1)).toMatchObject({ kind: 'notice', code: 'cancelled' });
  });
});

describe('with the toggle off', () => {
  let bench: Bench;

  beforeAll(async () => {
    bench = await startBench();
  });

  afterAll(() => bench.close());

  test('[S62] hard case 13: the same session stays generating and queues', async () => {
    const { vigil } = bench;
    const session = await bench.session('mock');
    await vigil.submit({
      sessionId: session.id,
      text: '/subagent B until released\n/idle\n/wait until released shut',
      clientKey: 'a',
    });
    await bench.until(session.id, (one) => one.activeSubagentCount === 1);
    const answer = await vigil.submit({ sessionId: session.id, text: '/say b', clientKey: 'b' });
    expect(answer).toMatchObject({ outcome: 'queued', reason: 'generating' });
    expect((await vigil.getSession(session.id)).session).toMatchObject({
      policy: 'coarse',
      foregroundActivity: 'generating',
    });
    await bench.release('shut');
    await bench.transcript(session.id, (all) => all.some((one) => one.kind === 'assistant' && one.text === 'b'));
    await bench.release('B');
  });
});
