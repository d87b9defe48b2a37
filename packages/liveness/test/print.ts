import { Attestation } from '../src/attestation.ts';
import type { JournalEntry } from '../src/journal.ts';

/** A value as the TypeScript that makes it; attestations as calls of `attest`. */
function literal(value: unknown): string {
  if (Attestation.is(value)) return `attest(${literal(value.evidence)})`;
  if (typeof value === 'string') return `'${value.replace(/[\\']/g, '\\$&')}'`;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const fields = Object.entries(value).map(
    ([key, each]) => `${/^\w+$/.test(key) ? key : `'${key}'`}: ${literal(each)}`,
  );
  return `{ ${fields.join(', ')} }`;
}

/** A journal as a runnable case: the argument of `replay`. */
export function printed(entries: readonly JournalEntry[]): string {
  const lines = entries.map(({ event, tick }) => `  { tick: ${tick}, event: ${literal(event)} },`);
  return ['const journal: JournalEntry[] = [', ...lines, '];'].join('\n');
}
