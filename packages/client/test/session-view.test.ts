import { describe, expect, test } from 'vitest';
import {
  acceptSession,
  acceptSessions,
  EMPTY_SESSION,
  prependMessages,
  type SessionView,
} from '../src/session-view.ts';
import type { Message, Queue, Session, SessionStreamEvent } from '../src/types.ts';

const queue: Queue = { entries: [], autoRun: true };
const session = { id: 's', taskId: 'a', state: 'running' } as Session;

function said(seq: number, text = `text ${seq}`): Message {
  return { id: `m${seq}`, seq, createdAt: '', kind: 'assistant', text, parentToolCallId: null };
}

function snapshot(revision: number, messages: Message[]): SessionStreamEvent {
  return { type: 'snapshot', epoch: 'e', revision, session, messages, queue };
}

function appended(revision: number, offset: number, text: string): SessionStreamEvent {
  return { type: 'message.appended', revision, messageId: 'm1', offset, text };
}

const from = (...events: SessionStreamEvent[]): SessionView => acceptSessions(EMPTY_SESSION, events);
const textOf = ({ messages: [first] }: SessionView) => (first?.kind === 'assistant' ? first.text : null);

describe('the fold of a session', () => {
  test('[W5] messages are upserted by id and kept in order of seq', () => {
    const view = from(
      snapshot(1, [said(3), said(1)]),
      { type: 'message', revision: 2, message: said(2) },
      { type: 'message', revision: 3, message: said(3, 'changed') },
    );
    expect(view.messages).toEqual([said(1), said(2), said(3, 'changed')]);
  });

  test('[W5] appended text continues where it ends; what is there already is not added again', () => {
    const view = from(
      snapshot(1, [said(1, 'one')]),
      appended(2, 3, ', two'),
      appended(2, 3, ', two'),
      appended(3, 8, '!'),
    );
    expect(textOf(view)).toBe('one, two!');
    expect(view.gap).toBe(false);
  });

  test.each([
    ['text beyond the end', appended(2, 7, 'x')],
    ['text across the end', appended(2, 2, 'xyz')],
    ['text of an unknown message', { ...appended(2, 0, 'x'), messageId: 'm9' } as SessionStreamEvent],
  ])('[W5] %s is a gap, which a snapshot heals', (_, event) => {
    const broken = from(snapshot(1, [said(1, 'one')]), event);
    expect(broken.gap).toBe(true);
    expect(textOf(broken)).toBe('one');
    expect(acceptSession(broken, snapshot(3, [said(1, 'whole')]))).toMatchObject({ gap: false, revision: 3 });
  });

  test('[S101] what is older is dropped, and the view stays the same object', () => {
    const view = from(snapshot(5, [said(1)]));
    expect(acceptSession(view, { type: 'message', revision: 4, message: said(1, 'old') })).toBe(view);
    expect(acceptSession(view, { type: 'resumed', epoch: 'e', revision: 5 })).toBe(view);
  });

  test('[W5] older pages stay when a snapshot meets them, and go when it would leave a hole', () => {
    const paged = prependMessages(from(snapshot(1, [said(5), said(6)])), [said(3), said(4)]);
    expect(paged.messages.map(({ seq }) => seq)).toEqual([3, 4, 5, 6]);
    const met = acceptSession(paged, snapshot(2, [said(6), said(7)]));
    expect(met.messages.map(({ seq }) => seq)).toEqual([3, 4, 5, 6, 7]);
    const far = acceptSession(paged, snapshot(2, [said(8), said(9)]));
    expect(far.messages.map(({ seq }) => seq)).toEqual([8, 9]);
  });

  test('[W5] state and queue follow', () => {
    const view = from(
      snapshot(1, []),
      { type: 'session', revision: 2, session: { ...session, state: 'idle' } },
      { type: 'queue', revision: 3, queue: { entries: [], autoRun: false } },
    );
    expect(view.session?.state).toBe('idle');
    expect(view.queue?.autoRun).toBe(false);
  });
});
