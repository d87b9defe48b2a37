/**
 * Names that were once used, cheap to extend and to ask: new ones lie in a short list, older ones in sets whose sizes
 * double, so that none is copied more often than the logarithm of their number (the logarithmic method). Bounded: beyond
 * `REMEMBERED` names the oldest set is forgotten.
 */
export interface NameLog {
  readonly recent: readonly string[];
  /** Largest and oldest first. */
  readonly older: readonly ReadonlySet<string>[];
}

export const NO_NAMES: NameLog = { recent: [], older: [] };

const RECENT = 32;
const REMEMBERED = 65_536;

export function knows({ recent, older }: NameLog, name: string): boolean {
  return recent.includes(name) || older.some((names) => names.has(name));
}

/** The log with these names; the same log when it knows them all. */
export function noted(log: NameLog, names: readonly string[]): NameLog {
  const fresh = names.filter((name, index) => names.indexOf(name) === index && !knows(log, name));
  if (fresh.length === 0) return log;
  const recent = [...log.recent, ...fresh];
  return recent.length < RECENT
    ? { recent, older: log.older }
    : { recent: [], older: bounded(merged(log.older, new Set(recent))) };
}

function merged(older: NameLog['older'], newest: ReadonlySet<string>): NameLog['older'] {
  const last = older.at(-1);
  if (last === undefined || last.size > newest.size) return [...older, newest];
  return merged(older.slice(0, -1), new Set([...last, ...newest]));
}

function bounded(older: NameLog['older']): NameLog['older'] {
  const names = older.reduce((sum, { size }) => sum + size, 0);
  return names > REMEMBERED ? older.slice(1) : older;
}
