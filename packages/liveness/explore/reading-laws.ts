import type { Execution, SessionRecord } from '../src/record.ts';
import type { SessionView } from '../src/view.ts';
import { claimIn, cycleIn, servingIn } from './read.ts';
import { type Clause, firstBroken, type Law, type Step } from './step.ts';

type Tier = SessionView['foregroundActivity'];

/** S72, S74. */
function policyIn({ rules }: SessionRecord, reports: boolean): string {
  if (rules.fine) return 'fine';
  return rules.reported && reports ? 'reported' : 'coarse';
}

/** S1, S12: what is really at work. */
function privately(record: SessionRecord): Tier {
  const { kind } = record.foreground;
  if (kind === 'claimed' || kind === 'held') return 'generating';
  const serving = servingIn(record);
  const detached = serving?.registrations.some((one) => one.detached) === true;
  const follows = serving !== undefined && (serving.followUps.size > 0 || serving.settleUntil !== null);
  return detached || follows ? 'background' : null;
}

/** The table of S73. */
function exposed(record: SessionRecord, policy: string): Tier {
  if (record.state === 'running') return policy === 'fine' ? (privately(record) ?? 'generating') : 'generating';
  if (record.state !== 'waiting_for_input' || policy === 'coarse') return null;
  return privately(record) === 'background' ? 'background' : null;
}

/** S50, S51, S52, S61: may a prompt of this origin be claimed? */
export function admitted(record: SessionRecord, origin: 'human' | 'wakeup'): boolean {
  const { state, foreground } = record;
  const hindered =
    !record.accounted || servingIn(record)?.lost === true || record.inFlight !== null || record.cancelling !== null;
  if (hindered || state === 'cancelled' || state === 'starting') return false;
  if (state !== 'running') return true;
  return record.rules.fine && foreground.kind === 'yielded' && origin === 'human';
}

function modeIn(record: SessionRecord): SessionView['inputMode'] {
  if (record.state === 'cancelled') return 'unavailable';
  return admitted(record, 'human') ? 'direct' : 'queue';
}

/** True once a list came; false where none can, or none came until a turn's end. */
function reportsIn(serving: Execution | undefined): boolean | null {
  if (serving === undefined || !serving.opened) return null;
  if (serving.traits.reports && serving.rosterRank !== null) return true;
  return serving.traits.reports && !serving.turnEnded ? null : false;
}

function worked({ universe, after }: Step): readonly Clause[] {
  const { view } = after;
  const live = [...after.executions.values()].flatMap((one) => one.registrations);
  const kindOf = (name: string) => universe.work.find((one) => one.name === name)?.kind;
  const subagents = live.filter((one) => kindOf(one.names[0]) === 'subagent').length;
  return [
    [view.activeSubagentCount !== subagents, `P2: count reads ${view.activeSubagentCount}, ${subagents} are live`],
    [
      view.workloads.map((one) => one.id).join() !== live.map((one) => one.names[0]).join(),
      'S144: workloads are not what is live',
    ],
    [
      view.workloads.some((one, index) => one.detached !== live[index]?.detached),
      'S144: a workload reads detached or not, wrongly',
    ],
    [view.workloads.some((one) => one.kind !== kindOf(one.id)), 'S20: a workload is of another kind'],
  ];
}

/** The reading of a state is what the tables make of it. */
export const readingLaw: Law = (step) => {
  const { after } = step;
  const { view, foreground } = after;
  const serving = servingIn(after);
  const policy = policyIn(after, serving?.traits.reports === true && serving.rosterRank !== null);
  const running = after.state === 'running';
  const odd = serving?.levels.state === 'unknown' || serving?.levels.raw === 'unknown';
  const unknown = !after.accounted || serving?.lost === true || odd;
  const follows = serving !== undefined && (serving.followUps.size > 0 || serving.settleUntil !== null);
  return firstBroken([
    [view.policy !== policy, `S74: policy reads ${view.policy}, is ${policy}`],
    [
      view.state !== after.state || view.executionId !== after.executionId,
      'S11: the coarse state reads otherwise than it is',
    ],
    [
      view.foregroundActivity !== exposed(after, policy),
      `S73: tier reads ${view.foregroundActivity}, is ${exposed(after, policy)}`,
    ],
    [
      policy === 'coarse' && view.foregroundActivity !== (running ? 'generating' : null),
      'P8: coarse shows more than its state',
    ],
    [policy !== 'fine' && running && view.inputMode === 'direct', 'P8: a running session admits'],
    [view.inputMode !== modeIn(after), `S51: input reads ${view.inputMode}, is ${modeIn(after)}`],
    [
      (view.inputReason === null) !== (view.inputMode === 'direct'),
      'S80: a refusal without its reason, or a reason without one',
    ],
    [view.liveness !== (unknown ? 'unknown' : 'live'), `S9: liveness reads ${view.liveness}`],
    [view.awaitingFollowUp !== (foreground.kind === 'free' && follows), 'S12: awaitingFollowUp'],
    [view.reportsBackground !== reportsIn(serving), `S74: reportsBackground reads ${view.reportsBackground}`],
    [view.cancellationPending !== (after.cancelling !== null), 'S131: cancellationPending'],
    [view.generation !== (claimIn(after)?.generation ?? cycleIn(after)?.generation ?? null), 'S57: generation'],
    [view.stopReason !== after.stopReason || view.error !== after.error, 'S11: stop reason or error'],
    ...worked(step),
  ]);
};

const PAIR = ['foregroundActivity', 'activeSubagentCount'] as const;
const OTHER = [
  'executionId',
  'policy',
  'liveness',
  'reportsBackground',
  'mayWake',
  'awaitingFollowUp',
  'inputMode',
  'inputReason',
  'cancellationPending',
  'generation',
  'stopReason',
  'error',
] as const;

const told = ({ workloads }: SessionView): string =>
  JSON.stringify(workloads.map((one) => ({ ...one, lastEvidenceAt: 0 })));

/** What is published is the difference of what is seen (S14, S21, S100). */
export const publicationLaw: Law = ({ before, after, tick, transitions }) => {
  const [was, is] = [before.view, after.view];
  const pair = PAIR.some((field) => was[field] !== is[field]);
  const other =
    OTHER.some((field) => was[field] !== is[field]) || (was.workloads !== is.workloads && told(was) !== told(is));
  const due = [
    ...(pair ? ['session.activity_changed'] : []),
    ...(was.state !== is.state ? ['session.state_changed'] : []),
    ...(other ? ['session.updated'] : []),
  ];
  const revision = pair ? tick : was.activityRevision;
  return firstBroken([
    [transitions.join() !== due.join(), `S100: told ${transitions.join()}, changed ${due.join()}`],
    [is.activityRevision !== revision, 'P4: the revision is not the tick of the change'],
  ]);
};
