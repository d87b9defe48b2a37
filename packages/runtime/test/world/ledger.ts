/** One prompt as its sender knows it, and what providers saw of it. */
export interface Entry {
  readonly sessionId: string;
  /** Null for the strict form. */
  readonly key: string | null;
  readonly text: string;
  readonly origin: 'human' | 'wakeup';
  /** Message ids that were answered; all the same one. */
  readonly messageIds: Set<string>;
  /** Answers that say that it was taken: dispatched or queued. */
  promised: number;
  /** Reasons of refusals. */
  readonly refusals: string[];
  /** Calls that are not answered. */
  pending: number;
  /** Its sender cannot know: the server died before it answered, or after it answered that the database did not. */
  unsure: boolean;
  /** How often it was written to a provider, and how often one took it while its execution was wanted. */
  writes: number;
  takes: number;
  /** Takes that the server could not have recorded: it died before that was stored. */
  unrecorded: number;
  /** Written, then cancelled or given up without a word of the provider: it may have been taken. */
  abandoned: boolean;
  /** Why it may be gone without having been delivered. */
  readonly excuses: Set<'removed' | 'stopped' | 'deleted'>;
  /** Its removal was answered. */
  removed: boolean;
}

/** All prompts of a history. Their texts are their own; an edit adds asterisks. */
export class Ledger {
  readonly #byText = new Map<string, Entry>();

  get entries(): readonly Entry[] {
    return [...this.#byText.values()];
  }

  /** The entry of this prompt, made when it is new. */
  entry(given: Pick<Entry, 'sessionId' | 'key' | 'text' | 'origin'>): Entry {
    const known = this.#byText.get(given.text);
    if (known !== undefined) return known;
    const entry: Entry = {
      ...given,
      ...{ messageIds: new Set(), promised: 0, refusals: [], pending: 0, unsure: false, writes: 0, takes: 0 },
      ...{ unrecorded: 0, abandoned: false, excuses: new Set(), removed: false },
    };
    this.#byText.set(given.text, entry);
    return entry;
  }

  byText(text: string): Entry {
    const entry = this.#byText.get(text.replaceAll('*', ''));
    if (entry === undefined) throw new Error(`nobody sent "${text}"`);
    return entry;
  }

  byMessage(messageId: string): Entry | undefined {
    return this.entries.find((entry) => entry.messageIds.has(messageId));
  }

  of(sessionId: string): readonly Entry[] {
    return this.entries.filter((entry) => entry.sessionId === sessionId);
  }
}
