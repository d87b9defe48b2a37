import type { LivenessEvent } from '../src/event.ts';
import type { SessionRecord } from '../src/record.ts';
import type { Universe } from './universe.ts';

/** One transition of the real reducer. */
export interface Step {
  readonly universe: Universe;
  readonly before: SessionRecord;
  readonly event: LivenessEvent;
  readonly tick: number;
  readonly after: SessionRecord;
  readonly transitions: readonly string[];
}

/** Answers what a transition, or the state that it leads to, breaks, with its rule; or null. */
export type Law = (step: Step) => string | null;

/** A claim of a rule and what is said when it does not hold. */
export type Clause = readonly [broken: boolean, problem: string];

/** The first clause that is broken. */
export function firstBroken(clauses: readonly Clause[]): string | null {
  return clauses.find(([broken]) => broken)?.[1] ?? null;
}
