import type { LivenessEvent } from '../src/event.ts';
import type { Fact } from '../src/fact.ts';
import type { SessionRecord } from '../src/record.ts';
import { dueOf, type Step } from './grow.ts';
import type { Law } from './laws.ts';
import { claimIn, cycleIn } from './work-referee.ts';

type Change = Step & { readonly before: SessionRecord; readonly after: SessionRecord };

const factsOf = (event: LivenessEvent): readonly Fact[] => (event.type === 'frame.received' ? event.facts : []);
const names = (event: LivenessEvent, kind: Fact['kind'], generation: number): boolean =>
  factsOf(event).some((fact) => fact.kind === kind && 'generation' in fact && fact.generation === generation);
const isOf = (event: LivenessEvent, type: LivenessEvent['type'], generation: number): boolean =>
  event.type === type && 'generation' in event && event.generation === generation;
const has = (event: LivenessEvent, ...kinds: readonly Fact['kind'][]): boolean =>
  factsOf(event).some((fact) => kinds.includes(fact.kind));

/** What names a prompt begins it (S54, S57, S59). */
const NAMING = ['prompt.begun', 'prompt.accepted', 'prompt.completed', 'rpc.settled', 'yielded'] as const;

/** Given up or settled without an answer of its own: the same for a claim and for what has begun unaccepted. */
function givenUp({ event, before }: Change, generation: number): boolean {
  if (event.type === 'execution.ended') return event.executionId === before.executionId;
  if (isOf(event, 'cancel.expired', generation)) return before.cancelling === generation;
  const unaccepted = before.inFlight === generation;
  return unaccepted && (isOf(event, 'prompt.released', generation) || names(event, 'prompt.rejected', generation));
}

/** A claim comes by being granted and goes by beginning, being given up, or being answered. */
function claimProblem(change: Change): string | null {
  const { event, before, after, tick } = change;
  const [was, is] = [claimIn(before), claimIn(after)];
  if (is !== null && is.generation !== was?.generation) {
    if (event.type !== 'prompt.claimed' || is.generation !== tick)
      return `claim ${is.generation} appeared by ${event.type}`;
    if (was !== null) return `claim ${was.generation} was replaced by ${is.generation}`;
    if (before.inFlight !== null) return `claim granted while ${before.inFlight} is in flight`;
    if (event.origin === 'wakeup' && before.state === 'running') return 'claim of a wakeup took a handoff';
  }
  if (was === null || is !== null) return null;
  const { generation } = was;
  if (cycleIn(after)?.generation === generation) return null;
  const settled = names(event, 'rpc.settled', generation) || names(event, 'prompt.completed', generation);
  const begunAndOver =
    has(event, 'prompt.begun', 'prompt.accepted', 'output', 'tool') && has(event, 'foreground', 'rpc.settled');
  return givenUp(change, generation) || settled || begunAndOver
    ? null
    : `claim ${generation} was lost by ${event.type}`;
}

/** Only its own end, a handoff or its being given up takes the foreground from a prompt; an open RPC holds it (S78, P1). */
function ownerProblem(change: Change): string | null {
  const { event, before, after } = change;
  const [was, is] = [cycleIn(before), cycleIn(after)];
  if (was === null || is?.generation === was.generation || was.origin === 'agent') return null;
  if (givenUp(change, was.generation) || names(event, 'rpc.settled', was.generation)) return null;
  const successor = claimIn(before);
  const over =
    is === null && successor !== null && claimIn(after) === null && names(event, 'rpc.settled', successor.generation);
  const taken = over || (successor !== null && is?.generation === successor.generation);
  const named = successor !== null && NAMING.some((kind) => names(event, kind, successor.generation));
  if (taken && (named || (successor.dispatched && has(event, 'output', 'tool')))) return null;
  if (was.rpc === 'open')
    return factsOf(event).length > 1
      ? null
      : `owner ${was.generation} lost the foreground by ${event.type} while its RPC is open`;
  const ends =
    has(event, 'foreground', 'cycle.closed', 'attested') ||
    event.type === 'time.passed' ||
    taken ||
    (was.idleOn.length > 0 && has(event, 'prompt.completed')) ||
    (was.idleOn.length > 0 && was.completed && has(event, 'output', 'tool'));
  return ends ? null : `owner ${was.generation} lost the foreground by ${event.type}`;
}

/** A cycle begins as its claim's, or as the agent's where its surface declares an end for such (S4). */
function beginProblem(change: Change): string | null {
  const { event, before, after } = change;
  const [was, is] = [cycleIn(before), cycleIn(after)];
  if (is === null || is.generation === was?.generation) return null;
  // A successor that is refused after it spoke gives its predecessor back (S55).
  if (is.generation === was?.predecessor?.generation)
    return givenUp(change, was.generation) ? null : `cycle ${is.generation} was given back`;
  if (is.origin !== 'agent')
    return is.generation === claimIn(before)?.generation ? null : `cycle ${is.generation} began without a claim`;
  if (is.generation !== change.tick || event.type !== 'frame.received')
    return `cycle of the agent began by ${event.type}`;
  if (event.executionId !== before.executionId) return `cycle of the agent began by a frame of ${event.executionId}`;
  if (before.executions.get(event.executionId)?.traits.agentCycles !== true)
    return 'cycle of the agent has no declared end';
  const claim = claimIn(before);
  const lost =
    claim !== null &&
    claimIn(after) === null &&
    !givenUp(change, claim.generation) &&
    !names(event, 'rpc.settled', claim.generation);
  return lost ? 'cycle of the agent took the place of a claim' : null;
}

const LAWFUL: Readonly<Record<string, readonly LivenessEvent['type'][]>> = {
  'created starting': ['prompt.claimed'],
  'idle starting': ['prompt.claimed'],
  'completed starting': ['prompt.claimed'],
  'failed starting': ['prompt.claimed'],
  'starting running': ['execution.opened', 'prompt.dispatched', 'prompt.released', 'cancel.expired', 'frame.received'],
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

function stateProblem({ event, before, after }: Change): string | null {
  if (before.state === after.state) return null;
  if (event.type === 'execution.ended')
    return AFTER_END[event.cause] === after.state ? null : `state ${after.state} after ${event.cause}`;
  return LAWFUL[`${before.state} ${after.state}`]?.includes(event.type) === true
    ? null
    : `state went ${before.state} to ${after.state} by ${event.type}`;
}

/** An end that nothing but time brings must come with its time, else nobody asks again. */
function timeProblem({ event, before, after }: Change): string | null {
  const due = dueOf(before);
  if (event.type !== 'time.passed' || due === null || due > event.at) return null;
  const later = dueOf(after);
  const cycle = cycleIn(after);
  if (later === null || later > event.at || cycle?.rpc === 'open') return null;
  return `deadline ${due} passed at ${event.at} and still stands`;
}

/** Who may own the foreground, and how it changes hands (S1–S8, S50–S63, P1). */
export const foregroundLaw: Law = (steps) => {
  const over = new Set<number>();
  for (const step of steps) {
    const { before, after } = step;
    if (before === null || after === null) continue;
    const change: Change = { ...step, before, after };
    const problem =
      claimProblem(change) ??
      ownerProblem(change) ??
      beginProblem(change) ??
      stateProblem(change) ??
      timeProblem(change);
    if (problem !== null) return problem;
    const present = [claimIn(after)?.generation, cycleIn(after)?.generation, cycleIn(after)?.predecessor?.generation];
    for (const each of [claimIn(before)?.generation, cycleIn(before)?.generation]) {
      if (each !== undefined && !present.includes(each)) over.add(each);
    }
    const back = present.find((each) => each !== undefined && over.has(each));
    if (back !== undefined) return `generation ${back} came back`;
  }
  return null;
};

/** The generations that an operation may still name. */
function currentIn(record: SessionRecord): readonly (number | null | undefined)[] {
  const execution = record.executionId === null ? undefined : record.executions.get(record.executionId);
  return [
    claimIn(record)?.generation,
    cycleIn(record)?.generation,
    cycleIn(record)?.predecessor?.generation,
    record.inFlight,
    record.cancelling,
    execution?.muted,
  ];
}

/** P3: an operation with a token or a generation that is not current leaves the very same record. */
export const staleLaw: Law = (steps) => {
  for (const { event, before, after } of steps) {
    if (before === null || before === after) continue;
    const dead = 'executionId' in event && event.type !== 'prompt.claimed' && !before.executions.has(event.executionId);
    if (dead) return `stale ${event.type} of ${event.executionId} changed the record`;
    if (event.type === 'prompt.released' && event.generation !== before.inFlight)
      return `stale release of ${event.generation} changed the record`;
    const named =
      'generation' in event
        ? [event.generation]
        : factsOf(event).map((fact) => ('generation' in fact ? fact.generation : null));
    const current = currentIn(before);
    const allStale = named.length > 0 && named.every((each) => each !== null && !current.includes(each));
    if (allStale) return `stale ${event.type} of ${named.join()} changed the record`;
  }
  return null;
};
