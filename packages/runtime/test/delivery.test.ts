import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bench, collect, startBench } from './bench.ts';

let bench: Bench;

beforeAll(async () => {
  bench = await startBench();
});

afterAll(() => bench.close());

const submit = (sessionId: string, text: string, clientKey: string) =>
  bench.vigil.submit({ sessionId, text, clientKey });

describe('a prompt that starts an execution', () => {
  test('[S80] is dispatched at once with its generation and its answer streams', async () => {
    const watching = collect(bench.vigil);
    const session = await bench.session('mock');
    const sent = await submit(session.id, '/say hello there', 'one');
    expect(sent).toMatchObject({ outcome: 'dispatched', reason: null, epoch: bench.vigil.epoch });
    expect(sent.generation).toBeGreaterThan(0);
    const messages = await bench.transcript(session.id, (all) => all.some((one) => one.kind === 'notice'));
    expect(messages.map((one) => one.kind)).toEqual(['user', 'assistant', 'notice']);
    expect(messages[0]).toMatchObject({ id: sent.messageId, status: 'dispatched', generation: sent.generation });
    expect(messages[1]).toMatchObject({ text: 'hello there' });
    expect(messages[2]).toMatchObject({ code: 'turn_ended' });
    await bench.until(session.id, 'waiting_for_input');
    const events = (await watching.stop()).filter((event) => 'sessionId' in event && event.sessionId === session.id);
    const states = events.flatMap((event) => (event.type === 'session.state_changed' ? [event.state] : []));
    expect(states).toEqual(['starting', 'running', 'waiting_for_input']);
    const tiers = events.flatMap((event) =>
      event.type === 'session.activity_changed' ? [event.foregroundActivity] : [],
    );
    expect(tiers).toEqual(['generating', null]);
    const revisions = events.map((event) => event.revision);
    expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b));
  });

  test('[S80] that cannot start leaves the session failed, the message at the head with its error, auto-run off', async () => {
    const session = await bench.session('missing');
    const sent = await submit(session.id, 'hello', 'one');
    expect(sent.outcome).toBe('dispatched');
    const failed = await bench.until(session.id, (one) => one.state === 'failed' && one.queuedPromptCount === 1);
    expect(failed.error).toContain('/does/not/exist');
    expect(failed).toMatchObject({ autoRun: false, executionId: null, foregroundActivity: null });
    const queue = await bench.vigil.listQueue(session.id);
    expect(queue.entries).toMatchObject([{ messageId: sent.messageId, text: 'hello' }]);
    expect(queue.entries[0]?.error).toContain('/does/not/exist');
    const { messages } = await bench.vigil.getSession(session.id);
    expect(messages.find((one) => one.id === sent.messageId)).toMatchObject({ status: 'failed' });
    expect(messages.some((one) => one.kind === 'notice' && one.code === 'start_failed')).toBe(true);
  });

  test('[S51] while it starts, submit queues with the reason and prompt refuses', async () => {
    const session = await bench.session('mock');
    await submit(session.id, '/say first', 'one');
    expect(await submit(session.id, '/say second', 'two')).toMatchObject({
      outcome: 'queued',
      reason: 'starting',
      generation: null,
    });
    const refusal = bench.vigil.prompt({ sessionId: session.id, text: 'third' });
    await expect(refusal).rejects.toMatchObject({ code: 'conflict', reason: 'starting' });
    const messages = await bench.transcript(session.id, (all) =>
      all.some((one) => one.kind === 'assistant' && one.text === 'second'),
    );
    expect(messages.flatMap((one) => (one.kind === 'assistant' ? [one.text] : []))).toEqual(['first', 'second']);
  });
});

describe('a prompt to a running session', () => {
  test('[S50] of many at once exactly one wins, the others are refused with prompt_in_progress', async () => {
    const session = await bench.session('mock');
    await bench.vigil.prompt({ sessionId: session.id, text: '/say ready' });
    await bench.until(session.id, 'waiting_for_input');
    const many = Array.from({ length: 8 }, () =>
      bench.vigil.prompt({ sessionId: session.id, text: '/wait until released race' }).then(
        () => 'dispatched',
        (error: { reason: string }) => error.reason,
      ),
    );
    const outcomes = await Promise.all(many);
    expect(outcomes.sort()).toEqual(['dispatched', ...Array.from({ length: 7 }, () => 'prompt_in_progress')]);
    await bench.release('race');
    await bench.until(session.id, 'waiting_for_input');
  });

  test('[S80] is queued with the reason and runs when the turn ends', async () => {
    const session = await bench.session('mock');
    await submit(session.id, '/wait until released turn', 'one');
    await bench.until(session.id, 'running');
    expect(await submit(session.id, '/say next', 'two')).toMatchObject({ outcome: 'queued', reason: 'generating' });
    expect(await submit(session.id, '/say last', 'three')).toMatchObject({
      outcome: 'queued',
      reason: 'queue_not_empty',
    });
    expect((await bench.vigil.listQueue(session.id)).entries.map((one) => one.text)).toEqual([
      '/say next',
      '/say last',
    ]);
    await bench.release('turn');
    const messages = await bench.transcript(session.id, (all) =>
      all.some((one) => one.kind === 'assistant' && one.text === 'last'),
    );
    expect(messages.flatMap((one) => (one.kind === 'user' ? [one.text] : []))).toEqual([
      '/wait until released turn',
      '/say next',
      '/say last',
    ]);
  });

  test('[S70] reads as generating and rejects direct prompts under coarse policy', async () => {
    const session = await bench.session('mock');
    await submit(session.id, '/subagent sub until released\n/wait until released turn', 'one');
    const running = await bench.until(session.id, (one) => one.activeSubagentCount === 1);
    expect(running).toMatchObject({ policy: 'coarse', foregroundActivity: 'generating', inputMode: 'queue' });
    await bench.release('turn');
    const settled = await bench.until(session.id, 'waiting_for_input');
    expect(settled).toMatchObject({ foregroundActivity: null, activeSubagentCount: 1, inputMode: 'direct' });
    await bench.release('sub');
  });
});

describe('a submission', () => {
  test('[S80] repeated with its client key is one message with one delivery', async () => {
    const session = await bench.session('mock');
    const answers = await Promise.all([
      submit(session.id, '/say once', 'same'),
      submit(session.id, '/say once', 'same'),
    ]);
    expect(answers[1]?.messageId).toBe(answers[0]?.messageId);
    await bench.transcript(session.id, (all) => all.some((one) => one.kind === 'notice'));
    expect(await submit(session.id, '/say once', 'same')).toMatchObject({
      messageId: answers[0]?.messageId,
      outcome: 'dispatched',
    });
    const { messages } = await bench.vigil.getSession(session.id);
    expect(messages.filter((one) => one.kind === 'user')).toHaveLength(1);
  });

  test('[S51] to a session that an operator ended is refused', async () => {
    const session = await bench.session('mock');
    await bench.vigil.prompt({ sessionId: session.id, text: '/say hi' });
    const { executionId } = await bench.until(session.id, 'waiting_for_input');
    await bench.vigil.teardown({ sessionId: session.id, executionId: executionId ?? '', cause: 'cancelled' });
    const ended = await bench.until(session.id, 'cancelled');
    expect(ended.inputMode).toBe('unavailable');
    await expect(submit(session.id, 'more', 'k')).rejects.toMatchObject({ code: 'conflict', reason: 'session_ended' });
  });

  test('is refused when it is empty or its session unknown', async () => {
    const session = await bench.session('mock');
    await expect(submit(session.id, '  ', 'k')).rejects.toMatchObject({ code: 'bad_input' });
    await expect(submit('nobody', 'hi', 'k')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('an agent that dies', () => {
  test('[S11] makes the session failed with command, exit and stderr; the next prompt starts it again with its history', async () => {
    const session = await bench.session('mock');
    await submit(session.id, '/say before', 'one');
    const first = await bench.until(session.id, 'waiting_for_input');
    await submit(session.id, '/crash', 'two');
    const failed = await bench.until(session.id, 'failed');
    expect(failed.executionId).toBeNull();
    expect(failed.error).toContain('exit');
    expect(failed.inputMode).toBe('direct');
    await submit(session.id, '/say after', 'three');
    const again = await bench.until(session.id, 'waiting_for_input');
    expect(again.executionId).not.toBe(first.executionId);
    const { messages } = await bench.vigil.getSession(session.id);
    expect(messages.flatMap((one) => (one.kind === 'assistant' ? [one.text] : []))).toEqual(['before', 'after']);
    expect(messages.some((one) => one.kind === 'notice' && one.code === 'agent_died')).toBe(true);
  });
});
