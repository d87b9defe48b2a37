import type { SessionEntry, SessionMark } from './entries.ts';
import { Bell, closed, pull, revisionOf } from './pull.ts';
import { rest } from './rest.ts';
import type { Runtime } from './runtime.ts';
import type { Held } from './transcript.ts';
import type { SessionStreamEvent } from './types.ts';
import type { EventStream, WatchOptions } from './vigil.ts';

/** Messages that a snapshot holds; older ones are read by page. */
export const SNAPSHOT_MESSAGES = 200;

const MESSAGE = 'message:';

/** The key under which a change of a message waits for a reader. */
export const messageKey = (messageId: string): string => `${MESSAGE}${messageId}`;

/** What a reader was given of a message, so that the next time it gets only what was added. */
interface Seen {
  readonly revision: number;
  readonly length: number;
}

/** Follows one session: a snapshot, or what changed since the reader left, then each change. */
export async function* watchSession(
  runtime: Runtime,
  options: WatchOptions & { sessionId: string },
): AsyncGenerator<
  Awaited<ReturnType<ReturnType<EventStream<SessionStreamEvent>[typeof Symbol.asyncIterator]>['next']>>['value']
> {
  const entry = runtime.board.session(options.sessionId);
  if (runtime.feed.closed !== null) throw closed(runtime.feed.closed);
  await entry.transcript.ready();
  const bell = new Bell();
  const subscription = entry.audience.subscribe(bell.ring);
  const reader = new SessionReader(runtime, entry);
  try {
    // Registered before the present is read, so that nothing falls between; both in one step.
    for (const event of reader.open(revisionOf(options.lastEventId, runtime.epoch))) yield event;
    for await (const [key, mark] of pull(subscription, bell, options.signal)) {
      const event = reader.render(key, mark);
      if (event !== null) yield event;
    }
  } finally {
    subscription.close();
    void rest(runtime, entry);
  }
}

type Framed = { readonly id: string; readonly event: SessionStreamEvent };

class SessionReader {
  readonly #runtime: Runtime;
  readonly #entry: SessionEntry;
  readonly #seen = new Map<string, Seen>();
  #from = 0;

  constructor(runtime: Runtime, entry: SessionEntry) {
    this.#runtime = runtime;
    this.#entry = entry;
  }

  open(since: number | null): Framed[] {
    const revision = this.#runtime.board.tracker.revision;
    this.#from = revision;
    const { transcript } = this.#entry;
    if (since !== null && since >= transcript.floor && since <= revision) return this.#resume(since, revision);
    const held = transcript.last(SNAPSHOT_MESSAGES);
    for (const message of held) this.#note(transcript.get(message.id));
    const { shown, queue } = this.#entry;
    return [
      this.#frame(revision, {
        type: 'snapshot',
        epoch: this.#runtime.epoch,
        revision,
        session: shown,
        messages: held,
        queue: queue.show(),
      }),
    ];
  }

  #resume(since: number, revision: number): Framed[] {
    const entry = this.#entry;
    const missed: { revision: number; event: SessionStreamEvent }[] = entry.transcript.since(since).map((held) => {
      this.#note(held);
      return { revision: held.revision, event: { type: 'message', revision: held.revision, message: held.message } };
    });
    if (entry.revision > since) missed.push({ revision: entry.revision, event: this.#session() });
    if (entry.queueRevision > since) missed.push({ revision: entry.queueRevision, event: this.#queue() });
    missed.sort((a, b) => a.revision - b.revision);
    const first = this.#frame(since, { type: 'resumed', epoch: this.#runtime.epoch, revision });
    return [first, ...missed.map((one) => this.#frame(one.revision, one.event))];
  }

  /** The present value of what is marked; null when the reader has it. */
  render(key: string, mark: SessionMark): Framed | null {
    if (mark.revision <= this.#from) return null;
    const event = this.#present(key);
    return event === null ? null : this.#frame(mark.revision, event);
  }

  #present(key: string): SessionStreamEvent | null {
    if (key === 'session') return this.#session();
    if (key === 'queue') return this.#queue();
    const held = this.#entry.transcript.get(key.slice(MESSAGE.length));
    if (held === undefined) return null;
    const seen = this.#seen.get(held.message.id);
    this.#note(held);
    if (seen !== undefined && held.rewritten <= seen.revision && 'text' in held.message) {
      const { id, text } = held.message;
      const { revision } = held;
      return { type: 'message.appended', revision, messageId: id, offset: seen.length, text: text.slice(seen.length) };
    }
    return { type: 'message', revision: held.revision, message: held.message };
  }

  #note(held: Held | undefined): void {
    if (held === undefined || (held.message.kind !== 'assistant' && held.message.kind !== 'thought')) return;
    this.#seen.set(held.message.id, { revision: held.revision, length: held.message.text.length });
  }

  #session(): SessionStreamEvent {
    return { type: 'session', revision: this.#entry.revision, session: this.#entry.shown };
  }

  #queue(): SessionStreamEvent {
    return { type: 'queue', revision: this.#entry.queueRevision, queue: this.#entry.queue.show() };
  }

  #frame(revision: number, event: SessionStreamEvent): Framed {
    return { id: `${this.#runtime.epoch}.${revision}`, event };
  }
}
