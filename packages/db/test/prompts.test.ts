import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { onBothDatabases } from './fixture.ts';

onBothDatabases((fixture) => {
  const texts = async (sessionId: string) => (await fixture.database.prompts.list(sessionId)).map((one) => one.text);

  it('[S80] stores one prompt per client key, however often and at once it is submitted', async () => {
    const { prompts } = fixture.database;
    const { id: sessionId } = await fixture.session();
    const submit = () =>
      prompts.enqueue({ id: randomUUID(), sessionId, clientKey: 'k1', origin: 'human', text: 'hello' });
    const answers = await Promise.all(Array.from({ length: 6 }, submit));
    expect(answers.filter((answer) => answer.isNew)).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.prompt.id)).size).toBe(1);
    expect(await texts(sessionId)).toEqual(['hello']);
  });

  it('[S80] tells the outcome by key', async () => {
    const { prompts } = fixture.database;
    const { id: sessionId } = await fixture.session();
    const prompt = await fixture.prompt(sessionId, 'hello', { clientKey: 'k1', reason: 'generating' });
    expect(await prompts.findByKey(sessionId, 'k1')).toMatchObject({ status: 'queued', reason: 'generating' });
    await prompts.reserveHead(sessionId);
    const settledAt = '2026-01-02T00:00:00.000Z';
    const delivered = await prompts.settle(prompt.id, { as: 'delivered', reason: null, settledAt });
    expect(delivered).toMatchObject({ applied: true, prompt: { status: 'delivered', reason: null, settledAt } });
    expect(await prompts.settle(prompt.id, { as: 'refused', error: 'late' })).toEqual({ ...delivered, applied: false });
    const again = await prompts.enqueue({ id: randomUUID(), sessionId, clientKey: 'k1', origin: 'human', text: 'x' });
    expect(again).toEqual({ isNew: false, prompt: delivered.prompt });
    expect(await prompts.findByKey(sessionId, 'other')).toBeNull();
  });

  it('[S80] accepts a retry with the same id and refuses a foreign one', async () => {
    const { prompts } = fixture.database;
    const { id: sessionId } = await fixture.session();
    const prompt = { id: randomUUID(), sessionId, clientKey: 'k1', origin: 'human', text: 'hello' } as const;
    await prompts.enqueue(prompt);
    expect(await prompts.enqueue(prompt)).toMatchObject({ isNew: false, prompt: { id: prompt.id } });
    const foreign = prompts.enqueue({ ...prompt, clientKey: 'k2' });
    await expect(foreign).rejects.toMatchObject({ code: 'already_exists' });
    const lost = prompts.enqueue({ ...prompt, id: randomUUID(), sessionId: 'nowhere' });
    await expect(lost).rejects.toMatchObject({ code: 'unknown_reference' });
  });

  it('[S81] orders human before wake-up, each first in, first out', async () => {
    const { prompts } = fixture.database;
    const { id: sessionId } = await fixture.session();
    await fixture.prompt(sessionId, 'w1', { origin: 'wakeup' });
    await fixture.prompt(sessionId, 'h1');
    await fixture.prompt(sessionId, 'w2', { origin: 'wakeup' });
    await fixture.prompt(sessionId, 'h2');
    expect(await texts(sessionId)).toEqual(['h1', 'h2', 'w1', 'w2']);
    const reserved: (string | undefined)[] = [];
    for (let n = 0; n < 5; n++) reserved.push((await prompts.reserveHead(sessionId))?.text);
    expect(reserved).toEqual(['h1', 'h2', 'w1', 'w2', undefined]);
  });

  it('[S81] gives each of two simultaneous reservations another prompt', async () => {
    const { prompts } = fixture.database;
    const { id: sessionId } = await fixture.session();
    for (const text of ['a', 'b', 'c']) await fixture.prompt(sessionId, text);
    const reserved = await Promise.all([1, 2, 3].map(() => prompts.reserveHead(sessionId)));
    expect(reserved.map((one) => one?.text).sort()).toEqual(['a', 'b', 'c']);
  });

  it('[S82] hides a reserved prompt from edits and puts it back at its place', async () => {
    const { prompts } = fixture.database;
    const { id: sessionId } = await fixture.session();
    const [a, b, c] = [
      await fixture.prompt(sessionId, 'a'),
      await fixture.prompt(sessionId, 'b'),
      await fixture.prompt(sessionId, 'c'),
    ];
    expect(await prompts.reserve(b.id)).toMatchObject({ applied: true, prompt: { status: 'reserved' } });
    expect(await prompts.reserve(b.id)).toMatchObject({ applied: false });
    expect(await texts(sessionId)).toEqual(['a', 'c']);
    expect(await prompts.edit(b.id, 'x')).toMatchObject({ applied: false, prompt: { text: 'b' } });
    expect(await prompts.remove(b.id)).toMatchObject({ applied: false, prompt: { status: 'reserved' } });
    expect(await prompts.reorder(sessionId, [c.id, a.id])).toMatchObject({ applied: true });
    const back = await prompts.restore(b.id, { place: 'own', error: 'no such command' });
    expect(back).toMatchObject({ applied: true, prompt: { status: 'queued', error: 'no such command' } });
    expect(await texts(sessionId)).toEqual(['c', 'b', 'a']);
    expect(await prompts.restore(b.id, { place: 'own' })).toMatchObject({ applied: false });
  });

  it('[S82] edits, removes and clears queued prompts, whose outcome stays readable', async () => {
    const { prompts } = fixture.database;
    const { id: sessionId } = await fixture.session();
    const [a, b] = [await fixture.prompt(sessionId, 'a'), await fixture.prompt(sessionId, 'b')];
    await fixture.prompt(sessionId, 'c');
    expect(await prompts.edit(a.id, 'a!')).toMatchObject({ applied: true, prompt: { text: 'a!' } });
    expect(await prompts.remove(b.id)).toMatchObject({
      applied: true,
      prompt: { status: 'dropped', reason: 'removed' },
    });
    expect((await prompts.clear(sessionId)).map((one) => [one.text, one.status, one.reason])).toEqual([
      ['a!', 'dropped', 'cleared'],
      ['c', 'dropped', 'cleared'],
    ]);
    expect(await prompts.clear(sessionId)).toEqual([]);
    expect(await prompts.findByKey(sessionId, b.clientKey)).toMatchObject({ status: 'dropped' });
    expect(await prompts.edit('nowhere', 'x')).toEqual({ applied: false, prompt: null });
  });

  it('[S82] reorders by an exact set, human still before wake-up', async () => {
    const { prompts } = fixture.database;
    const { id: sessionId } = await fixture.session();
    const [a, b, w] = [
      await fixture.prompt(sessionId, 'a'),
      await fixture.prompt(sessionId, 'b', { position: 1 }),
      await fixture.prompt(sessionId, 'w', { origin: 'wakeup' }),
    ];
    for (const order of [
      [a.id, b.id],
      [a.id, b.id, w.id, 'x'],
      [a.id, a.id, b.id],
      [a.id, b.id, 'x'],
    ]) {
      const refused = await prompts.reorder(sessionId, order);
      expect(refused).toMatchObject({ applied: false, reason: 'queue_changed', prompts: [{}, {}, {}] });
    }
    const answer = await prompts.reorder(sessionId, [w.id, b.id, a.id]);
    expect(answer.prompts.map((one) => one.text)).toEqual(['b', 'a', 'w']);
    expect(await texts(sessionId)).toEqual(['b', 'a', 'w']);
    await fixture.prompt(sessionId, 'z');
    expect(await texts(sessionId)).toEqual(['b', 'a', 'z', 'w']);
  });

  it('[S83] returns a refused prompt to the head of its origin', async () => {
    const { prompts } = fixture.database;
    const { id: sessionId } = await fixture.session();
    const [a, b] = [await fixture.prompt(sessionId, 'a'), await fixture.prompt(sessionId, 'b')];
    await fixture.prompt(sessionId, 'w', { origin: 'wakeup' });
    await prompts.reserve(b.id);
    await prompts.restore(b.id, { place: 'head', reason: 'provider_busy' });
    expect(await texts(sessionId)).toEqual(['b', 'a', 'w']);
    await prompts.reserve(a.id);
    await prompts.restore(a.id, { place: 'head' });
    expect(await texts(sessionId)).toEqual(['a', 'b', 'w']);
    expect(await prompts.get(b.id)).toMatchObject({ reason: 'provider_busy' });
  });

  it('[S141] hard case 26: returns what was reserved and not accepted to the head of its queue', async () => {
    const { prompts } = fixture.database;
    const [one, two] = [await fixture.session(), await fixture.session()];
    await fixture.prompt(one.id, 'a');
    const b = await fixture.prompt(one.id, 'b');
    await prompts.reserve(b.id);
    await fixture.prompt(two.id, 'now', { status: 'reserved' });
    await prompts.restoreReserved();
    expect(await texts(one.id)).toEqual(['b', 'a']);
    expect(await texts(two.id)).toEqual(['now']);
    expect(await prompts.restoreReserved()).toEqual([]);
  });

  it('[S56, S141] stops a queue to which a prompt comes back that may have been done', async () => {
    const { prompts, sessions } = fixture.database;
    const [one, two] = [await fixture.session(), await fixture.session()];
    const a = await fixture.prompt(one.id, 'a', { status: 'reserved' });
    await prompts.note(a.id, 'delivery_unknown');
    await fixture.prompt(two.id, 'b', { status: 'reserved' });
    await prompts.restoreReserved('delivery_unknown');
    expect(await prompts.get(a.id)).toMatchObject({ status: 'queued', reason: 'delivery_unknown' });
    expect([(await sessions.get(one.id))?.autoRun, (await sessions.get(two.id))?.autoRun]).toEqual([false, true]);
  });

  it('counts the queued prompts of all sessions at once', async () => {
    const { prompts } = fixture.database;
    const [one, two] = [await fixture.session(), await fixture.session()];
    for (const text of ['a', 'b', 'c']) await fixture.prompt(one.id, text);
    expect((await prompts.reserveHead(one.id))?.text).toBe('a');
    const counts = await prompts.countQueued();
    expect(counts.get(one.id)).toBe(2);
    expect(counts.has(two.id)).toBe(false);
  });
});
