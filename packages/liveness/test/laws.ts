import fc from 'fast-check';
import type { JournalEntry } from '../src/journal.ts';
import { FC_SEED, grow, type History, type Step, seeds, steps } from './grow.ts';
import { printed } from './print.ts';

/** Reads a history step by step and answers what is wrong with it, or null. */
export type Law = (steps: readonly Step[]) => string | null;

interface Extent {
  readonly runs: number;
  readonly steps?: number;
}

/** Holds a law over grown histories. A history that breaks it is reduced to what is needed and printed as a case. */
export function holds(law: Law, extent: Extent): void {
  run(extent, (choices) => (law(grow(choices).steps) === null ? null : reduced(law, grow(choices).steps)));
}

/** Holds a law over all that a history was: its changes, its tracker. */
export function holdsWhole(law: (history: History) => string | null, extent: Extent): void {
  run(extent, (choices) => {
    const history = grow(choices);
    const problem = law(history);
    return problem === null ? null : `${problem}\n${printed(history.steps)}`;
  });
}

function run({ runs, steps: length = 70 }: Extent, problemOf: (choices: number[]) => string | null): void {
  const property = fc.property(seeds(length), (choices) => problemOf(choices) === null);
  const { failed, counterexample, counterexamplePath, errorInstance } = fc.check(property, {
    seed: FC_SEED,
    numRuns: runs,
    endOnFailure: true,
  });
  if (!failed) return;
  if (errorInstance !== null && errorInstance !== undefined && counterexample === null) throw errorInstance;
  const shown = counterexample === null ? 'nothing was generated' : problemOf(counterexample[0]);
  throw new Error(`seed ${FC_SEED}, path ${counterexamplePath}: ${shown}`);
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
