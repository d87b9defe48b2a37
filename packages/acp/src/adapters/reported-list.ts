/** Nobody runs as much; whoever lists more has gone wrong, or means us harm. */
const LIMIT = 1_000;

/** A list of background work as it was reported; null for what is none, or is too long to be one (S32). */
export function reportedList(value: unknown): readonly unknown[] | null {
  return Array.isArray(value) && value.length < LIMIT ? value : null;
}
