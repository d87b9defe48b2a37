import { CLAIM_MUTANTS } from './claim-mutants.ts';
import { FOREGROUND_MUTANTS } from './foreground-mutants.ts';
import type { Mutant } from './mutant.ts';
import { READING_MUTANTS } from './reading-mutants.ts';
import { WORK_MUTANTS } from './work-mutants.ts';

/** Planted single-line bugs of the core. The tests must find every one of them: `pnpm mutants`. */
export const MUTANTS: readonly Mutant[] = [
  ...CLAIM_MUTANTS,
  ...FOREGROUND_MUTANTS,
  ...WORK_MUTANTS,
  ...READING_MUTANTS,
];

/** One of each duty of the core, found by examples alone: what every run of the tests can afford. */
export const SAMPLE: readonly string[] = [
  'a wake-up takes a handoff',
  'release without a check of its generation',
  'a completion retires everything',
  'an end retires by session, whichever execution it names',
  'the revision of the change before is used again',
  'the count of a task goes up only',
];
