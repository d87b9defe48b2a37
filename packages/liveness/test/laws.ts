import fc from 'fast-check';
import type { JournalEntry } from '../src/journal.ts';
import { FC_SEED, grow, type History, type Step, seeds, steps } from './grow.ts';
import { printed } from './print.ts';

/** Reads a history step by step and answers what is wrong with it, or null. */
export type Law = (steps: readonly Step[]) => string | null;

/** Histories that each law is held to, and the most that this may take on a busy machine. */
export const RUNS = 800;
export const SLOW = 120_000;

const corpus: History[] = [];

/** The histories of the fixed seed, grown once for all laws of a file. */
function* histories(runs: number): Generator<readonly [number, History]> {
  const choices = fc.sample(seeds(70), { seed: FC_SEED, numRuns: runs });
  for (const [index, each] of choices.entries()) {
    const history = corpus[index] ?? grow(each);
    corpus[index] = history;
    yield [index, history];
  }
}

/** Holds a law over grown histories. A history that breaks it is reduced to what is needed and printed as a case. */
export function holds(law: Law, runs: number): void {
  for (const [index, { steps: grown }] of histories(runs)) {
    if (law(grown) !== null) throw new Error(`seed ${FC_SEED}, history ${index}: ${reduced(law, grown)}`);
  }
}

/** Holds a law over all that a history was: its changes, its tracker. */
export function holdsWhole(law: (history: History) => string | null, runs: number): void {
  for (const [index, history] of histories(runs)) {
    const problem = law(history);
    if (problem === null) continue;
    const shown = problem.includes('const journal') ? problem : `${problem}\n${printed(history.steps)}`;
    throw new Error(`seed ${FC_SEED}, history ${index}: ${shown}`);
  }
}

/** The kind of a problem is its first word; a smaller history counts only if it shows the same kind. */
const kindOf = (problem: string | null): string | null => problem?.split(' ')[0] ?? null;

function reduced(law: Law, failing: readonly JournalEntry[]): string {
  const kind = kindOf(law(steps(failing)));
  let kept = failing;
  for (let size = kept.length >> 1; size >= 1; size = size === 1 ? 0 : size >> 1) {
    for (let from = 0; from < kept.length; ) {
      const fewer = [...kept.slice(0, from), ...kept.slice(from + size)];
      if (kindOf(law(steps(fewer))) === kind) kept = fewer;
      else from += size;
    }
  }
  return `${law(steps(kept))}\n${printed(kept)}`;
}
