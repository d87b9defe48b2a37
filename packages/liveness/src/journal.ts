import { decide } from './decide.ts';
import type { LivenessEvent } from './event.ts';
import type { SessionId, Tick } from './ids.ts';
import type { SessionRecord } from './record.ts';

export interface JournalEntry {
  readonly event: LivenessEvent;
  readonly tick: Tick;
}

/** The last events of a tracker, bounded; a bug report is a journal. */
export class Journal {
  readonly #limit: number;
  #entries: JournalEntry[] = [];

  constructor(limit = 10_000) {
    this.#limit = limit;
  }

  readonly record = (event: LivenessEvent, tick: Tick): void => {
    this.#entries.push({ event, tick });
    if (this.#entries.length > this.#limit * 2) this.#entries = this.#entries.slice(-this.#limit);
  };

  get entries(): readonly JournalEntry[] {
    return this.#entries.slice(-this.#limit);
  }
}

/** Reproduces the records that a journal led to, exactly. */
export function replay(entries: Iterable<JournalEntry>): ReadonlyMap<SessionId, SessionRecord> {
  const records = new Map<SessionId, SessionRecord>();
  for (const { event, tick } of entries) {
    const { record } = decide(records.get(event.sessionId) ?? null, event, tick);
    if (record === null) records.delete(event.sessionId);
    else records.set(event.sessionId, record);
  }
  return records;
}
