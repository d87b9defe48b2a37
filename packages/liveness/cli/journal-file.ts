import { type Attestation, attest } from '../src/attestation.ts';
import type { JournalEntry } from '../src/journal.ts';

/** An attestation cannot be written as it is: it is proof by being made (S23). Written is its evidence alone. */
const isAttested = (key: string, value: unknown): value is Pick<Attestation, 'evidence'> =>
  key === 'attestation' && typeof value === 'object' && value !== null && 'evidence' in value;

/** A journal as text: one line of JSON for each entry. */
export function written(entries: Iterable<JournalEntry>): string {
  return [...entries].map((entry) => `${JSON.stringify(entry)}\n`).join('');
}

/** The entries of a journal file. Attestations are made anew: whoever holds the file could as well change the record. */
export function read(text: string): readonly JournalEntry[] {
  return text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [entryOf(line, index + 1)]));
}

function entryOf(line: string, number: number): JournalEntry {
  const entry = parsed(line, number);
  if (!isEntry(entry))
    throw new Error(`line ${number}: expected {"event": {"type", "sessionId", "at", …}, "tick": number}`);
  return entry;
}

function parsed(line: string, number: number): unknown {
  try {
    return JSON.parse(line, (key, value: unknown) => (isAttested(key, value) ? attest(value.evidence) : value));
  } catch (cause) {
    throw new Error(`line ${number}: expected one JSON object a line`, { cause });
  }
}

/** What every entry has. Beyond it a journal is trusted: it was written by the tracker. */
function isEntry(value: unknown): value is JournalEntry {
  if (typeof value !== 'object' || value === null || !('event' in value) || !('tick' in value)) return false;
  const { event, tick } = value;
  if (typeof event !== 'object' || event === null || typeof tick !== 'number') return false;
  return (
    'type' in event &&
    typeof event.type === 'string' &&
    'sessionId' in event &&
    typeof event.sessionId === 'string' &&
    'at' in event
  );
}
