import type { LivenessEvent } from '../src/event.ts';
import type { Fact } from '../src/fact.ts';
import type { Claim, Cycle, Execution, Ground, SessionRecord } from '../src/record.ts';

/** Readings of a record that the laws share; nothing of them is taken from `src`. */
export const claimIn = ({ foreground }: SessionRecord): Claim | null =>
  foreground.kind === 'claimed' ? foreground.claim : null;

export const groundIn = ({ foreground }: SessionRecord): Ground =>
  foreground.kind === 'claimed' ? foreground.under : foreground;

export function cycleIn(record: SessionRecord): Cycle | null {
  const ground = groundIn(record);
  return ground.kind === 'free' ? null : ground.cycle;
}

export const servingIn = ({ executionId, executions }: SessionRecord): Execution | undefined =>
  executionId === null ? undefined : executions.get(executionId);

export const factsOf = (event: LivenessEvent): readonly Fact[] => (event.type === 'frame.received' ? event.facts : []);

/** Names of runs whose terminal the execution remembers. */
export const endedIn = ({ ended }: Execution): ReadonlySet<string> =>
  new Set([...ended.recent, ...ended.older.flatMap((names) => [...names])]);

/** Every generation that some part of the record still names. */
export function generationsIn(record: SessionRecord): ReadonlySet<number> {
  const cycle = cycleIn(record);
  const named = [
    claimIn(record)?.generation,
    cycle?.generation,
    cycle?.predecessor?.generation,
    record.inFlight,
    record.cancelling,
    servingIn(record)?.muted,
  ];
  return new Set(named.filter((each) => each !== null && each !== undefined));
}

/** Moments that the record waits for, earliest first. */
export function deadlinesIn(record: SessionRecord): readonly number[] {
  const cycle = cycleIn(record);
  const named = [cycle?.endDueAt, cycle?.predecessor?.endDueAt, servingIn(record)?.settleUntil];
  return [...new Set(named.filter((each) => each !== null && each !== undefined))].sort((a, b) => a - b);
}

/** Runs that the record still names. */
export function runsIn(record: SessionRecord): ReadonlySet<string> {
  const cycle = cycleIn(record);
  const named = [servingIn(record)?.run, cycle?.run, cycle?.predecessor?.run];
  return new Set(named.filter((each) => each !== null && each !== undefined));
}
