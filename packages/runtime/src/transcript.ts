import type { Message } from './types.ts';

/** A message, and when it changed: `revision` in any way, `rewritten` in another way than by text added to its end. */
export interface Held {
  readonly message: Message;
  readonly revision: number;
  readonly rewritten: number;
}

type Without<T, K extends string> = T extends unknown ? Omit<T, K> : never;

/** A message before it has a place in the transcript. */
export type Draft = Without<Message, 'seq' | 'createdAt'>;

export interface TranscriptOptions {
  /** The last messages, oldest first. */
  readonly load: (limit: number) => Promise<Message[]>;
  /** Messages before this place, oldest first. */
  readonly loadBefore: (before: number, limit: number) => Promise<Message[]>;
  /** Writes behind. */
  readonly store: (message: Message) => void;
  /** Takes the next revision and tells whoever watches. */
  readonly changed: (messageId: string, revision: number) => void;
  readonly tick: () => number;
  readonly now: () => number;
}

/** Messages kept in memory for a session; older ones are read from the database. */
const TAIL = 500;

/** The transcript of a session: its last messages in memory, every change written behind and told to whoever watches. */
export class Transcript {
  readonly #options: TranscriptOptions;
  /** In order of `seq`. */
  readonly #tail = new Map<string, Held>();
  #loading: Promise<void> | null = null;
  #loaded = false;
  #nextSeq = 1;
  #floor = 0;

  constructor(options: TranscriptOptions) {
    this.#options = options;
  }

  /** Reads the tail once; after it, changes are synchronous. */
  ready(): Promise<void> {
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = null;
      throw error;
    });
    return this.#loading;
  }

  /** Changes may be made now. */
  get isReady(): boolean {
    return this.#loaded;
  }

  /** For a session made now: nothing is stored. */
  startEmpty(): void {
    this.#loaded = true;
    this.#loading = Promise.resolve();
  }

  /** Forgets what is in memory, once it is written and nobody is at it; the next `ready` reads it again. */
  release(): void {
    this.#tail.clear();
    this.#loaded = false;
    this.#loading = null;
  }

  /** Changes up to this revision may be missing here. */
  get floor(): number {
    return this.#floor;
  }

  get(id: string): Held | undefined {
    return this.#tail.get(id);
  }

  /** The last messages, oldest first. */
  last(limit: number): Message[] {
    return this.all().slice(-limit);
  }

  /** What is in memory, oldest first. */
  all(): Message[] {
    return [...this.#tail.values()].map((held) => held.message);
  }

  /** What changed after this revision, in order of change. */
  since(revision: number): Held[] {
    return [...this.#tail.values()].filter((held) => held.revision > revision).sort((a, b) => a.revision - b.revision);
  }

  async page(before: number | undefined, limit: number): Promise<{ messages: Message[]; nextBefore: number | null }> {
    await this.ready();
    const kept = [...this.#tail.values()].map((held) => held.message);
    const known = before === undefined ? kept : kept.filter((message) => message.seq < before);
    const missing = limit - known.length;
    const oldest = known[0]?.seq ?? before ?? this.#nextSeq;
    const older = missing > 0 && oldest > 1 ? await this.#options.loadBefore(oldest, missing) : [];
    const messages = [...older, ...known.slice(-limit)];
    const first = messages[0]?.seq;
    return { messages, nextBefore: first === undefined || first <= 1 || messages.length < limit ? null : first };
  }

  /** Adds a message, or replaces the one of its id in its place. */
  put(draft: Draft): Message {
    const old = this.#tail.get(draft.id)?.message;
    const place = old ?? { seq: this.#nextSeq, createdAt: new Date(this.#options.now()).toISOString() };
    return this.#place({ ...draft, seq: place.seq, createdAt: place.createdAt } as Message);
  }

  /** Like `put`, but at the end: a prompt that is sent again. */
  putLast(draft: Draft): Message {
    const createdAt = this.#tail.get(draft.id)?.message.createdAt ?? new Date(this.#options.now()).toISOString();
    this.#tail.delete(draft.id);
    return this.#place({ ...draft, seq: this.#nextSeq, createdAt } as Message);
  }

  /** Adds text to the end of an assistant or thought message, which it makes when it is new. */
  append(draft: Extract<Draft, { kind: 'assistant' | 'thought' }>): void {
    const old = this.#tail.get(draft.id);
    if (old === undefined || (old.message.kind !== 'assistant' && old.message.kind !== 'thought')) {
      this.put(draft);
      return;
    }
    if (draft.text === '') return;
    const message = { ...old.message, text: old.message.text + draft.text };
    const revision = this.#options.tick();
    this.#tail.set(message.id, { message, revision, rewritten: old.rewritten });
    this.#tell(message, revision);
  }

  #place(message: Message): Message {
    const revision = this.#options.tick();
    this.#tail.set(message.id, { message, revision, rewritten: revision });
    if (message.seq >= this.#nextSeq) this.#nextSeq = message.seq + 1;
    this.#trim();
    this.#tell(message, revision);
    return message;
  }

  #tell(message: Message, revision: number): void {
    this.#options.store(message);
    this.#options.changed(message.id, revision);
  }

  #trim(): void {
    if (this.#tail.size <= TAIL * 2) return;
    for (const [id, held] of this.#tail) {
      if (this.#tail.size <= TAIL) return;
      this.#tail.delete(id);
      this.#floor = Math.max(this.#floor, held.revision);
    }
  }

  async #load(): Promise<void> {
    const messages = await this.#options.load(TAIL);
    const revision = this.#options.tick();
    this.#floor = revision;
    for (const message of messages) this.#tail.set(message.id, { message, revision, rewritten: revision });
    this.#nextSeq = (messages.at(-1)?.seq ?? 0) + 1;
    this.#loaded = true;
  }
}
