import type { Message, Queue, Session, SessionStreamEvent } from './types.ts';

/** One session with its transcript and queue, as of one revision. Replaced on change, never written to. */
export interface SessionView {
  /** Boot of the server that the view is of; null before the first snapshot. */
  readonly epoch: string | null;
  readonly revision: number;
  readonly session: Session | null;
  /** In order of `seq`. */
  readonly messages: readonly Message[];
  readonly queue: Queue | null;
  /** Text was missed: start again from a snapshot. */
  readonly gap: boolean;
}

export const EMPTY_SESSION: SessionView = {
  epoch: null,
  revision: 0,
  session: null,
  messages: [],
  queue: null,
  gap: false,
};

interface Draft {
  epoch: string | null;
  revision: number;
  session: Session | null;
  messages: Message[];
  queue: Queue | null;
  gap: boolean;
}

type Change = Exclude<SessionStreamEvent, { type: 'snapshot' | 'resumed' }>;

/** Takes in one event. The view is returned as it is when the event is older: at one revision every event is idempotent. */
export function acceptSession(view: SessionView, event: SessionStreamEvent): SessionView {
  return acceptSessions(view, [event]);
}

/** Takes in several events in order, with one copy of the transcript for all. */
export function acceptSessions(view: SessionView, events: readonly SessionStreamEvent[]): SessionView {
  let draft: Draft | null = null;
  for (const event of events) {
    const before: SessionView = draft ?? view;
    if (event.type === 'snapshot') draft = isLate(before, event) ? draft : fromSnapshot(event, before);
    else if (event.type !== 'resumed' && event.revision >= before.revision) {
      draft ??= { ...view, messages: [...view.messages] };
      apply(draft, event);
    }
  }
  return draft ?? view;
}

/** False when the stream goes on from something that this view does not hold: start again from a snapshot. */
export function continuesSession(view: SessionView, event: SessionStreamEvent): boolean {
  if (event.type === 'snapshot') return true;
  if (event.type === 'resumed') return event.epoch === view.epoch;
  return view.epoch !== null;
}

/** Adds a page of older messages, as `session.messages` answers it. */
export function prependMessages(view: SessionView, older: readonly Message[]): SessionView {
  const known = new Set(view.messages.map((message) => message.id));
  const added = older.filter((message) => !known.has(message.id));
  if (added.length === 0) return view;
  return { ...view, messages: [...added, ...view.messages].sort((a, b) => a.seq - b.seq) };
}

/** Of a moment before what is shown, and of nothing that was missed: the view never goes back. */
function isLate(view: SessionView, event: { readonly epoch: string; readonly revision: number }): boolean {
  return !view.gap && event.epoch === view.epoch && event.revision < view.revision;
}

function fromSnapshot(event: Extract<SessionStreamEvent, { type: 'snapshot' }>, before: SessionView): Draft {
  const messages = [...event.messages].sort((a, b) => a.seq - b.seq);
  const first = messages[0];
  const older = first !== undefined && before.session?.id === event.session.id ? pagesBefore(before, first.seq) : [];
  return {
    epoch: event.epoch,
    revision: event.revision,
    session: event.session,
    messages: [...older, ...messages],
    queue: event.queue,
    gap: false,
  };
}

/** A snapshot holds the newest page. Older pages stay where they meet it; else there would be a hole. */
function pagesBefore(view: SessionView, seq: number): readonly Message[] {
  const last = view.messages.at(-1);
  return last !== undefined && last.seq >= seq ? view.messages.filter((message) => message.seq < seq) : [];
}

function apply(draft: Draft, event: Change): void {
  draft.revision = event.revision;
  switch (event.type) {
    case 'session':
      draft.session = draft.session === null ? event.session : { ...draft.session, ...event.session };
      break;
    case 'queue':
      draft.queue = event.queue;
      break;
    case 'message':
      putMessage(draft.messages, event.message);
      break;
    case 'message.appended':
      appendText(draft, event);
      break;
    default:
      // A newer server may say more than this client knows.
      event satisfies never;
  }
}

function putMessage(messages: Message[], message: Message): void {
  const at = positionOf(messages, message.id);
  if (at >= 0) {
    messages[at] = message;
    return;
  }
  let end = messages.length;
  while (end > 0 && (messages[end - 1]?.seq ?? 0) > message.seq) end -= 1;
  messages.splice(end, 0, message);
}

function appendText(draft: Draft, event: Extract<Change, { type: 'message.appended' }>): void {
  const at = positionOf(draft.messages, event.messageId);
  const message = draft.messages[at];
  if (message === undefined || (message.kind !== 'assistant' && message.kind !== 'thought')) {
    draft.gap = true;
    return;
  }
  const { length } = message.text;
  if (event.offset + event.text.length <= length) return;
  if (event.offset !== length) {
    draft.gap = true;
    return;
  }
  draft.messages[at] = { ...message, text: message.text + event.text };
}

/** Searches from the end: what changes is nearly always among the last. */
function positionOf(messages: readonly Message[], id: string): number {
  return messages.findLastIndex((message) => message.id === id);
}
