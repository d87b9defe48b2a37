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
export function holds(law: Law, { runs, steps: length = 70 }: Extent): void {
  const property = fc.property(seeds(length), (choices) => {
    const problem = law(grow(choices).steps);
    if (problem !== null) throw new Error(report(law, grow(choices).steps));
  });
  fc.assert(property, { seed: FC_SEED, numRuns: runs, endOnFailure: true });
}

/** Holds a law over all that a history was: its changes, its tracker. Shrunk by its choices. */
export function holdsWhole(law: (history: History) => string | null, { runs, steps: length = 70 }: Extent): void {
  const property = fc.property(seeds(length), (choices) => {
    const history = grow(choices);
    const problem = law(history);
    if (problem !== null) throw new Error(`${problem}\n${printed(history.steps)}`);
  });
  fc.assert(property, { seed: FC_SEED, numRuns: runs });
}

/** The kind of a problem is its first word; a smaller history counts only if it shows the same kind. */
const kindOf = (problem: string | null): string | null => problem?.split(' ')[0] ?? null;

function report(law: Law, failing: readonly JournalEntry[]): string {
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
