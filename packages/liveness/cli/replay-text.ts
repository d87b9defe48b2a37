import { decide } from '../src/decide.ts';
import type { JournalEntry } from '../src/journal.ts';
import type { SessionRecord } from '../src/record.ts';

/** Maps and sets as plain JSON; the view last, as it is read off the rest. */
function plain(_key: string, value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value);
  return value instanceof Set ? [...value] : value;
}

/** What each event made of its session, as text, one block an event: the event, what was told of it, the record after it. */
export function* replayed(entries: Iterable<JournalEntry>): Generator<string> {
  const records = new Map<string, SessionRecord>();
  for (const { event, tick } of entries) {
    const before = records.get(event.sessionId) ?? null;
    const { record, transitions } = decide(before, event, tick);
    if (record === null) records.delete(event.sessionId);
    else records.set(event.sessionId, record);
    const told = transitions.length === 0 ? 'nothing told' : transitions.join(', ');
    const after = record === before ? '(unchanged)' : record === null ? '(none)' : JSON.stringify(record, plain, 2);
    yield `#${tick} ${event.sessionId} ${JSON.stringify(event)}\n→ ${told}\n${after}\n`;
  }
}
