import { expect, it } from 'vitest';
import type { MessageRow } from '../src/index.ts';
import { onBothDatabases } from './fixture.ts';

const createdAt = '2026-01-01T00:00:00.000Z';

function message(sessionId: string, seq: number, more: Partial<MessageRow> = {}): MessageRow {
  return {
    sessionId,
    id: `m${seq}`,
    seq,
    kind: 'assistant',
    role: 'agent',
    payload: { text: `${seq}` },
    createdAt,
    ...more,
  };
}

onBothDatabases((fixture) => {
  it('writes a batch, and replaces what it knows by session and id', async () => {
    const { messages } = fixture.database;
    const [one, two] = [await fixture.session(), await fixture.session()];
    const first = [message(one.id, 1), message(one.id, 2), message(two.id, 1)];
    expect(await messages.write(first)).toEqual({ written: 3, dropped: 0 });
    const later = '2026-02-02T00:00:00.000Z';
    const changed = [
      message(one.id, 1, { payload: { text: 'lost' } }),
      message(one.id, 1, { payload: { text: 'kept' }, seq: 3, createdAt: later }),
    ];
    expect(await messages.write(changed)).toEqual({ written: 1, dropped: 0 });
    const page = await messages.page(one.id);
    expect(page.messages).toEqual([message(one.id, 2), message(one.id, 1, { payload: { text: 'kept' }, seq: 3 })]);
    expect((await messages.page(two.id)).messages).toEqual([message(two.id, 1)]);
    expect(await messages.lastSeq(one.id)).toBe(3);
    expect(await messages.lastSeq('nowhere')).toBe(0);
  });

  it('[S142] leaves out and counts messages of a session that is gone', async () => {
    const { messages, sessions } = fixture.database;
    const [kept, gone] = [await fixture.session(), await fixture.session()];
    await sessions.delete(gone.id);
    const batch = [message(gone.id, 1), message(kept.id, 1), message(gone.id, 2)];
    expect(await messages.write(batch)).toEqual({ written: 1, dropped: 2 });
    expect(await messages.write([message(gone.id, 3)])).toEqual({ written: 0, dropped: 1 });
    expect(await messages.write([])).toEqual({ written: 0, dropped: 0 });
  });

  it('pages back from the end', async () => {
    const { messages } = fixture.database;
    const { id } = await fixture.session();
    await messages.write(Array.from({ length: 450 }, (_, index) => message(id, index + 1)));
    const seqs = (rows: MessageRow[]) => [rows[0]?.seq, rows.at(-1)?.seq, rows.length];
    const last = await messages.page(id);
    expect([...seqs(last.messages), last.nextBefore]).toEqual([351, 450, 100, 351]);
    const before = await messages.page(id, { before: 351, limit: 350 });
    expect([...seqs(before.messages), before.nextBefore]).toEqual([1, 350, 350, null]);
    const nearly = await messages.page(id, { before: 351, limit: 349 });
    expect(nearly.nextBefore).toBe(2);
    expect(await messages.page(id, { before: 1 })).toEqual({ messages: [], nextBefore: null });
  });

  it('stores whatever an agent prints', async () => {
    const { messages } = fixture.database;
    const { id } = await fixture.session();
    const payload = {
      text: 'nul \u0000 lone \ud800 pair 😀 escaped \\u0000 \\\\ud800 bell \u0007 quote " \u2028',
      'key\u0000': [null, 1.5, true, { deep: '\udfff' }],
    };
    const odd = [payload, '1', 'null', 'text', 7, null, []];
    await messages.write(odd.map((one, index) => message(id, index + 1, { id: `a\u0000${index}`, payload: one })));
    const stored = (await messages.page(id)).messages.map((row) => row.payload);
    expect(stored.slice(1)).toEqual(odd.slice(1));
    expect(stored[0]).toEqual({
      text: 'nul \ufffd lone \ufffd pair 😀 escaped \\u0000 \\\\ud800 bell \u0007 quote " \u2028',
      'key\ufffd': [null, 1.5, true, { deep: '\ufffd' }],
    });
    const task = await fixture.task('bad\u0000title \ud800');
    expect(task.title).toBe('bad\ufffdtitle \ufffd');
  });
});
