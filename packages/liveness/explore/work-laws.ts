import type { Evidence } from '../src/attestation.ts';
import type { Fact } from '../src/fact.ts';
import type { Execution, SessionRecord } from '../src/record.ts';
import { claimIn, cycleIn, deadlinesIn, endedIn, factsOf, generationsIn, servingIn } from './read.ts';
import { firstBroken, type Law, type Step } from './step.ts';

/** Names of what is live, and whether it is detached; oldest first. Names are single in a universe. */
type Live = ReadonlyMap<string, boolean>;

const liveIn = (execution: Execution | undefined): Live =>
  new Map(execution?.registrations.map((one) => [one.names[0], one.detached]));

const without = (live: Live, name: string): Live => new Map([...live].filter(([each]) => each !== name));

/** S28: the oldest detached work that is no monitor, while no list decides. */
function oldest({ registrations, rosterRank }: Execution, marked: boolean): string | null {
  const detached = registrations.filter((one) => one.detached);
  const monitored = detached.some((one) => one.kind === 'monitor');
  if (rosterRank !== null || (monitored && !marked)) return null;
  return detached.find((one) => one.kind !== 'monitor')?.names[0] ?? null;
}

/** What evidence makes of the live work, by the words of S25 to S33. */
function expected(execution: Execution, evidence: Evidence): Live {
  const live = liveIn(execution);
  const ended = endedIn(execution);
  const hinted = (name: string) => execution.hints.some((one) => one.detached && one.names.includes(name));
  switch (evidence.what) {
    case 'started': {
      const [name] = evidence.names;
      if (ended.has(name)) return live;
      return new Map([...live, [name, evidence.detached || live.get(name) === true || hinted(name)]]);
    }
    case 'detached': {
      const [name] = evidence.names;
      return live.has(name) ? new Map([...live, [name, true]]) : live;
    }
    case 'named':
      return live;
    case 'ended':
      return without(live, evidence.names[0]);
    case 'ended.unnamed': {
      const name = oldest(execution, evidence.marked);
      return name === null ? live : without(live, name);
    }
    case 'roster': {
      const listed = evidence.items.filter((one) => one.status === 'running').map((one) => one.names[0]);
      const over = evidence.items.filter((one) => one.status === 'ended').map((one) => one.names[0]);
      const kept = [...live].filter(([name, detached]) => !over.includes(name) && (!detached || listed.includes(name)));
      const running = listed.filter((name) => !ended.has(name));
      return new Map([...kept, ...running.map((name) => [name, true] as const)]);
    }
  }
}

/** An object literal was made by no adapter. */
const isForged = ({ attestation }: Extract<Fact, { kind: 'attested' }>): boolean =>
  Object.getPrototypeOf(attestation) === Object.prototype;

/** What must be live after this step, blocking work that goes with its turn apart; null: it is not said. */
function due(step: Step): Live | null {
  const { event, before } = step;
  const execution = servingIn(before);
  const facts = factsOf(event);
  if (execution === undefined || facts.length > 1) return null;
  if (event.type === 'execution.ended' && event.executionId === execution.id) return new Map();
  const [fact] = facts;
  if (event.type !== 'frame.received' || event.executionId !== execution.id || fact === undefined)
    return liveIn(execution);
  if (fact.kind === 'attested')
    return isForged(fact) ? liveIn(execution) : expected(execution, fact.attestation.evidence);
  const closed = fact.kind === 'tool' && fact.closed ? `tool:${fact.toolCallId}` : '';
  return liveIn(execution).get(closed) === false ? without(liveIn(execution), closed) : liveIn(execution);
}

/** True when the turn at work ended, completed or was given up in this step: its blocking work goes with it (S6, S65). */
function sweeps({ event, before, after }: Step): boolean {
  const working = (record: SessionRecord) => [
    claimIn(record)?.generation,
    cycleIn(record)?.generation,
    record.cancelling,
  ];
  const present = working(after);
  const over = working(before).some((each) => each !== undefined && each !== null && !present.includes(each));
  return over || factsOf(event).some((fact) => fact.kind === 'prompt.completed');
}

/** The live work after a step is what its evidence makes of it; nothing else adds to it or takes from it (P2, P10, S10). */
const liveLaw: Law = (step) => {
  const expectation = due(step);
  if (expectation === null) return null;
  const { before, after } = step;
  const is = liveIn(servingIn(after));
  const killed = before.cancelling === null ? [] : (servingIn(before)?.traits.cancelKills ?? []);
  const kindOf = (name: string) => step.universe.work.find((one) => one.name === name)?.kind ?? 'other';
  const lost = [...expectation].filter(([name]) => !is.has(name));
  const swept = sweeps(step);
  return firstBroken([
    [
      [...is].some(([name, detached]) => expectation.get(name) !== detached),
      `P10: live is ${[...is]}, expected ${[...expectation]}`,
    ],
    [
      lost.some(([name, detached]) => detached && !killed.includes(kindOf(name))),
      `S65: detached work was lost: ${lost}`,
    ],
    [lost.some(([, detached]) => !detached && !swept), `S30: blocking work was lost: ${lost}`],
  ]);
};

/** A follow-up is expected after the last end only where a wake comes of it, and for its time (S12). */
const settleLaw: Law = ({ event, before, after }) => {
  const [was, is] = [servingIn(before), servingIn(after)];
  if (is?.settleUntil == null || was?.settleUntil === is.settleUntil) return null;
  const detached = was?.registrations.filter((one) => one.detached) ?? [];
  return firstBroken([
    [!is.traits.wakes, 'S12: settles for an agent that does not wake'],
    [
      detached.length === 0 || is.registrations.some((one) => one.detached),
      'S12: settles although it was not the last end',
    ],
    [detached.every((one) => one.stopping), 'S12: settles after a stop that was asked for'],
    [is.settleUntil !== event.at + before.rules.settleAfterMs, 'S12: settles for another time'],
  ]);
};

/** Silence ends nothing, and what time ends it ends once (S10, S12, S13). */
const timeLaw: Law = ({ event, before, after }) => {
  if (event.type !== 'time.passed') return null;
  const was = deadlinesIn(before).filter((at) => at <= event.at);
  const still = deadlinesIn({ ...after }).filter(
    (at) => at <= event.at && cycleIn(after)?.predecessor?.endDueAt !== at,
  );
  return firstBroken([
    [was.length === 0 && after !== before, 'S10: time changed something before anything was due'],
    [still.length > 0, 'S12: a deadline passed and still stands'],
  ]);
};

/** An operation that names what is over, or an execution that is gone, leaves the very same record (P3, P6, S45, S53). */
const staleLaw: Law = ({ event, before, after }) => {
  if (before === after) return null;
  if ('executionId' in event && event.type !== 'prompt.claimed' && !before.executions.has(event.executionId)) {
    return `P6: ${event.type} of an execution that is gone changed the record`;
  }
  const known = generationsIn(before);
  const named =
    'generation' in event
      ? [event.generation]
      : factsOf(event).map((fact) => ('generation' in fact ? fact.generation : null));
  const stale = named.length > 0 && named.every((each) => each !== null && !known.has(each));
  return firstBroken([
    [stale, `P3: a stale ${event.type} changed the record`],
    [
      event.type === 'prompt.released' && event.generation !== before.inFlight,
      'S56: a release after acceptance changed the record',
    ],
    [
      event.type === 'cancel.expired' && event.generation !== before.cancelling,
      'S131: an expiry without a cancel changed the record',
    ],
  ]);
};

/** What a step does to work, to time, and to what is over. */
export const WORK_LAWS: readonly Law[] = [liveLaw, settleLaw, timeLaw, staleLaw];
