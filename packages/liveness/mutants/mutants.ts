import { CLAIM_MUTANTS } from './claim-mutants.ts';
import { FOREGROUND_MUTANTS } from './foreground-mutants.ts';
import type { Mutant } from './mutant.ts';
import { WORK_MUTANTS } from './work-mutants.ts';

/** Planted single-line bugs of the core. The tests must find every one of them: `pnpm mutants`. */
export const MUTANTS: readonly Mutant[] = [...CLAIM_MUTANTS, ...FOREGROUND_MUTANTS, ...WORK_MUTANTS];
