import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FC_SEED, grow, type Step, seeds } from '../test/grow.ts';
import type { SessionRecord } from './record.ts';

/** What the present record is called, one name for each situation that the laws must have met. */
function situations({ foreground, executions, ...record }: SessionRecord): string[] {
  const execution = record.executionId === null ? undefined : executions.get(record.executionId);
  const ground = foreground.kind === 'claimed' ? foreground.under : foreground;
  const holder = ground.kind === 'free' ? '' : ` ${ground.cycle.origin}`;
  const shape = foreground.kind === 'claimed' ? `claimed over ${ground.kind}${holder}` : `${ground.kind}${holder}`;
  const when = (condition: boolean | undefined, name: string) => (condition === true ? [name] : []);
  return [
    shape,
    `${record.view.policy} ${record.view.state}`,
    ...when(
      foreground.kind === 'claimed' && foreground.claim.dispatched && ground.kind === 'yielded',
      'handoff under way',
    ),
    ...when(foreground.kind === 'held' && record.inFlight !== null, 'in flight while begun'),
    ...when(foreground.kind === 'claimed' && record.inFlight === null, 'accepted while claimed'),
    ...when(ground.kind !== 'free' && ground.cycle.endDueAt !== null, 'waits for a second end'),
    ...when(ground.kind === 'held' && ground.cycle.idleAttested, 'idle attested without work'),
    ...when(ground.kind !== 'free' && ground.cycle.completed, 'completed and held'),
    ...when(ground.kind === 'free' && execution?.settleUntil != null, 'settling'),
    ...when(ground.kind === 'free' && (execution?.followUps.size ?? 0) > 0, 'follow-up listed'),
    ...when(record.cancelling !== null, 'cancelling'),
    ...when(execution?.muted != null, 'muted'),
    ...when(execution?.lost, 'lost'),
    ...when(!record.accounted, 'not accounted'),
    ...when(execution?.mayWake, 'may wake'),
    ...when(execution?.opened === true, `roster ${execution?.rosterRank}`),
    ...when(execution?.run != null, 'run known'),
    ...when(record.view.foregroundActivity === 'background', `${record.view.policy} background`),
    ...when(record.view.activeSubagentCount > 1, 'several subagents'),
    ...when(
      execution?.registrations.some((one) => !one.detached),
      'foreground work',
    ),
    ...when(
      execution?.registrations.some((one) => one.names.length > 1),
      'joined names',
    ),
    ...when((execution?.ended.recent.length ?? 0) > 0, 'terminals remembered'),
    ...when(
      execution?.tools.some((call) => call.owner === 'background'),
      'background call',
    ),
  ];
}

/** What happened, by name. */
function happenings({ event, before, after }: Step): string[] {
  const late =
    (event.type === 'frame.received' || event.type === 'execution.ended') &&
    before?.executions.has(event.executionId) === false;
  const names: string[] = [event.type];
  if (late) names.push(`late ${event.type}`);
  if (before !== null && after === before) names.push('nothing changed');
  return names;
}

const EXPECTED: Readonly<Record<string, number>> = {
  free: 2000,
  'claimed over free': 1000,
  'held human': 1000,
  'held wakeup': 100,
  'held agent': 300,
  'yielded human': 200,
  'claimed over held human': 20,
  'claimed over held agent': 20,
  'claimed over yielded human': 50,
  'handoff under way': 30,
  'in flight while begun': 300,
  'accepted while claimed': 20,
  'waits for a second end': 50,
  'idle attested without work': 50,
  'completed and held': 50,
  settling: 50,
  'follow-up listed': 50,
  cancelling: 100,
  muted: 50,
  lost: 50,
  'not accounted': 50,
  'may wake': 10,
  'roster null': 500,
  'roster 1': 200,
  'roster 2': 50,
  'run known': 100,
  'coarse running': 300,
  'reported running': 200,
  'fine running': 500,
  'coarse waiting_for_input': 200,
  'reported waiting_for_input': 50,
  'fine waiting_for_input': 200,
  'reported background': 50,
  'fine background': 200,
  'fine starting': 50,
  'coarse idle': 20,
  'coarse completed': 20,
  'coarse failed': 20,
  'coarse cancelled': 20,
  'several subagents': 100,
  'foreground work': 200,
  'joined names': 300,
  'terminals remembered': 300,
  'background call': 30,
  'late frame.received': 50,
  'late execution.ended': 20,
  'nothing changed': 500,
  'session.loaded': 200,
  'session.accounted': 20,
  'session.removed': 20,
  'prompt.claimed': 300,
  'prompt.dispatched': 100,
  'prompt.released': 100,
  'execution.opened': 100,
  'execution.ended': 100,
  'execution.lost': 50,
  'cancel.requested': 100,
  'cancel.expired': 50,
  'stop.requested': 20,
  'time.passed': 100,
};

describe('the generator', () => {
  it('[P1] [P2] [P3] meets every named situation often', { timeout: 60_000 }, () => {
    const met = new Map<string, number>();
    for (const choices of fc.sample(seeds(70), { seed: FC_SEED, numRuns: 300 })) {
      for (const step of grow(choices).steps) {
        const names = [...happenings(step), ...(step.after === null ? [] : situations(step.after))];
        for (const name of names) met.set(name, (met.get(name) ?? 0) + 1);
      }
    }
    const rare = Object.entries(EXPECTED).filter(([name, least]) => (met.get(name) ?? 0) < least);
    expect(rare.map(([name, least]) => `${name}: ${met.get(name) ?? 0} of ${least}`)).toEqual([]);
  });
});
