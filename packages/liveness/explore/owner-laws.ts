import type { LivenessEvent } from '../src/event.ts';
import type { Fact } from '../src/fact.ts';
import type { Execution, SessionRecord } from '../src/record.ts';
import { claimIn, cycleIn, endedIn, factsOf, generationsIn, groundIn, servingIn } from './read.ts';
import { admitted } from './reading-laws.ts';
import { firstBroken, type Law, type Step } from './step.ts';

const has = (event: LivenessEvent, ...kinds: readonly Fact['kind'][]): boolean =>
  factsOf(event).some((fact) => kinds.includes(fact.kind));

const naming = (event: LivenessEvent, generation: number | undefined, ...kinds: readonly Fact['kind'][]): boolean =>
  factsOf(event).some((fact) => 'generation' in fact && fact.generation === generation && kinds.includes(fact.kind));

/** The prompt was given up, refused, cancelled without an answer, or went with its execution. */
function givenUp({ event, before }: Step, generation: number): boolean {
  if (event.type === 'execution.ended') return event.executionId === before.executionId;
  if (event.type === 'cancel.expired') return event.generation === generation && before.cancelling === generation;
  if (before.inFlight !== generation) return false;
  return (
    (event.type === 'prompt.released' && event.generation === generation) ||
    naming(event, generation, 'prompt.rejected')
  );
}

const isNew = (execution: Execution | undefined): boolean =>
  execution !== undefined &&
  !execution.opened &&
  execution.registrations.length + execution.hints.length + execution.tools.length === 0 &&
  endedIn(execution).size === 0 &&
  execution.rosterRank === null &&
  execution.levels.state === null &&
  execution.levels.raw === null;

/** One check-and-claim: granted exactly when the table says so, and its tick is its generation (S50, S51, S61). */
const claimLaw: Law = (step) => {
  const { event, before, after, tick } = step;
  const [was, is] = [claimIn(before), claimIn(after)];
  if (event.type === 'prompt.claimed') {
    const due = admitted(before, event.origin);
    return firstBroken([
      [due !== (is?.generation === tick), `S50: a prompt was ${due ? 'refused' : 'granted'}`],
      [!due && after !== before, 'S50: a refusal changed the record'],
      [due && (is?.origin !== event.origin || after.inFlight !== tick), 'S50: the claim is not what was asked for'],
      [due && groundIn(after) !== groundIn(before), 'S55: the claim does not keep what it replaces'],
      [due && before.executionId === null && !isNew(servingIn(after)), 'S117: a new execution does not begin empty'],
    ]);
  }
  if (is !== null && is.generation !== was?.generation) return `S50: claim ${is.generation} appeared by ${event.type}`;
  if (was === null || is !== null) return null;
  const { generation } = was;
  const answered = naming(event, generation, 'rpc.settled', 'prompt.completed');
  const begun = cycleIn(after)?.generation === generation;
  const folded = factsOf(event).length > 1;
  return begun || givenUp(step, generation) || answered || folded
    ? null
    : `P1: claim ${generation} was lost by ${event.type}`;
};

/** What may take the foreground from a prompt or a cycle of the agent (P1, S6, S13, S57, S78). */
function mayLose(step: Step): boolean {
  const { event, before, after } = step;
  const cycle = cycleIn(before);
  const successor = claimIn(before);
  if (cycle === null || givenUp(step, cycle.generation) || naming(event, cycle.generation, 'rpc.settled')) return true;
  if (successor !== null) {
    const named = naming(
      event,
      successor.generation,
      'prompt.begun',
      'prompt.accepted',
      'prompt.completed',
      'rpc.settled',
      'yielded',
    );
    const spoke = successor.dispatched && has(event, 'output', 'tool');
    const begun = cycleIn(after)?.generation === successor.generation;
    if (named || (spoke && begun)) return true;
  }
  if (cycle.rpc === 'open') return false;
  // Completed, and idle on one level: what begins before the second has come takes it over (S13).
  if (cycle.completed && cycle.idleOn.length > 0 && has(event, 'output', 'tool')) return true;
  return (
    event.type === 'time.passed' ||
    has(event, 'foreground', 'cycle.closed', 'attested') ||
    (cycle.idleOn.length > 0 && has(event, 'prompt.completed'))
  );
}

const ownerLaw: Law = (step) => {
  const { event, before, after, tick } = step;
  const [was, is] = [cycleIn(before), cycleIn(after)];
  const same = is?.generation === was?.generation;
  if (same || factsOf(event).length > 1) return null;
  if (was !== null && !mayLose(step))
    return `P1: ${was.origin} cycle with its RPC ${was.rpc} lost the foreground by ${event.type}`;
  if (is === null) return null;
  if (is.generation === was?.predecessor?.generation)
    return givenUp(step, was.generation) ? null : 'S55: a predecessor was given back without a reason';
  if (is.origin !== 'agent')
    return is.generation === claimIn(before)?.generation ? null : 'P1: a prompt began without a claim';
  return firstBroken([
    [is.generation !== tick, 'S57: a cycle of the agent has another number than its tick'],
    [!has(event, 'output', 'tool', 'foreground'), 'S4: a cycle of the agent began without output or running'],
    [
      claimIn(before) !== null && claimIn(after) === null && !givenUp(step, claimIn(before)?.generation ?? 0),
      'S50: a cycle of the agent took the place of a claim',
    ],
  ]);
};

/** Held and yielded: only an attested idle or the launch after it yields; only words or the last end takes it back (S2, S3, S5). */
const yieldLaw: Law = ({ event, before, after }) => {
  const [was, is] = [groundIn(before), groundIn(after)];
  if (was.kind === 'free' || is.kind === 'free' || was.kind === is.kind) return null;
  if (was.cycle.generation !== is.cycle.generation) return null;
  const detached = servingIn(after)?.registrations.some((one) => one.detached) === true;
  if (is.kind === 'yielded') {
    const attested = naming(event, was.cycle.generation, 'yielded');
    return attested || (was.cycle.idleAttested && has(event, 'attested'))
      ? null
      : `S5: yielded by ${event.type} without an attested idle`;
  }
  return !detached || has(event, 'output', 'tool', 'foreground') ? null : `S1: held again by ${event.type}`;
};

/** Nothing that is over comes back: what a record names was named before, or is of this tick (S58, P3). */
const onceLaw: Law = ({ before, after, tick }) => {
  const known = generationsIn(before);
  const back = [...generationsIn(after)].find((each) => each !== tick && !known.has(each));
  return back === undefined ? null : `S58: generation ${back} came back`;
};

const LAWFUL: Readonly<Record<string, readonly LivenessEvent['type'][]>> = {
  'created starting': ['prompt.claimed'],
  'idle starting': ['prompt.claimed'],
  'completed starting': ['prompt.claimed'],
  'failed starting': ['prompt.claimed'],
  'starting running': ['prompt.dispatched', 'frame.received', 'execution.opened', 'prompt.released', 'cancel.expired'],
  'starting waiting_for_input': ['execution.opened', 'prompt.released', 'cancel.expired', 'frame.received'],
  'waiting_for_input running': ['prompt.claimed', 'frame.received'],
  'running waiting_for_input': ['prompt.released', 'cancel.expired', 'frame.received', 'time.passed'],
};
const AFTER_END: Readonly<Record<string, string>> = {
  stopped: 'idle',
  completed: 'completed',
  cancelled: 'cancelled',
  failed: 'failed',
  crashed: 'failed',
};

const stateLaw: Law = ({ event, before, after }) => {
  if (event.type === 'execution.ended' && event.executionId === before.executionId) return endLaw(event, after);
  if (before.state === after.state) return null;
  return LAWFUL[`${before.state} ${after.state}`]?.includes(event.type) === true
    ? null
    : `S11: ${before.state} became ${after.state} by ${event.type}`;
};

function endLaw(event: Extract<LivenessEvent, { type: 'execution.ended' }>, after: SessionRecord): string | null {
  return firstBroken([
    [after.state !== AFTER_END[event.cause], `S11: ${after.state} after ${event.cause}`],
    [
      after.executions.size > 0 || after.view.workloads.length > 0 || after.view.awaitingFollowUp,
      'S110: something is left of an execution',
    ],
  ]);
}

/** Who owns the foreground and how that changes. */
export const OWNER_LAWS: readonly Law[] = [claimLaw, ownerLaw, yieldLaw, onceLaw, stateLaw];
