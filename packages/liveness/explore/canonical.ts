import type { Cycle, Execution, Registration, SessionRecord } from '../src/record.ts';
import type { Node } from './moves.ts';
import { deadlinesIn, endedIn } from './read.ts';

/** Names by order of appearance: records that differ only by their numbers get the same ones. */
class Names<T> {
  readonly #seen: T[] = [];

  of(value: T | null): string {
    if (value === null) return '-';
    const at = this.#seen.indexOf(value);
    return String(at >= 0 ? at : this.#seen.push(value) - 1);
  }
}

interface Naming {
  readonly generations: Names<number>;
  readonly runs: Names<string>;
  readonly deadlines: readonly number[];
}

const flags = (...given: readonly boolean[]): string => given.map((each) => (each ? 1 : 0)).join('');
const moment = (at: number | null, { deadlines }: Naming): string =>
  at === null ? '-' : String(deadlines.indexOf(at));
const set = (values: Iterable<string>): string => [...values].sort().join();

function cycleText(cycle: Cycle | null, naming: Naming): string {
  if (cycle === null) return '';
  return [
    cycle.origin[0],
    naming.generations.of(cycle.generation),
    cycle.rpc[0],
    set(cycle.ranOn),
    set(cycle.idleOn),
    moment(cycle.endDueAt, naming),
    flags(cycle.idleAttested, cycle.completed),
    naming.runs.of(cycle.run),
    cycle.stopReason,
    `(${cycleText(cycle.predecessor, naming)})`,
  ].join('.');
}

function foregroundText({ foreground }: SessionRecord, naming: Naming): string {
  const ground = foreground.kind === 'claimed' ? foreground.under : foreground;
  const under = ground.kind === 'free' ? '' : `${ground.kind[0]}${cycleText(ground.cycle, naming)}`;
  if (foreground.kind !== 'claimed') return under;
  const { generation, origin, dispatched } = foreground.claim;
  return `c${naming.generations.of(generation)}${origin[0]}${flags(dispatched)}/${under}`;
}

/** Age is the order of the list, so `seq` is left out; the moments of evidence have no effect. */
const registrationText = (one: Registration, { generations }: Naming): string =>
  `${one.names.join('+')}${one.kind[1]}${flags(one.detached, one.stoppable, one.stopping)}${generations.of(one.generation)}`;

function executionText(execution: Execution, naming: Naming): string {
  return [
    flags(execution.opened, execution.lost, execution.mayWake, execution.runOver, execution.turnEnded),
    execution.registrations.map((one) => registrationText(one, naming)).join(),
    execution.hints.map((one) => registrationText(one, naming)).join(),
    set(endedIn(execution)),
    execution.tools.map((call) => `${call.id}${call.owner[0]}${naming.generations.of(call.generation)}`).join(),
    execution.rosterRank,
    set(execution.followUps),
    moment(execution.settleUntil, naming),
    `${execution.levels.state}/${execution.levels.raw}`,
    naming.runs.of(execution.run),
    naming.generations.of(execution.muted),
  ].join(';');
}

/**
 * What decides the future of a state. Left out: the view and its revision (functions of the rest and of the past; the laws
 * hold them), `seq`, ticks and times as numbers, and which of the executions serves, as their names mean nothing.
 */
export function canonical({ record, used }: Node): string {
  const naming: Naming = { generations: new Names(), runs: new Names(), deadlines: deadlinesIn(record) };
  return [
    `${used.humans}${used.wakeups}${used.executions}`,
    record.state,
    record.stopReason,
    flags(record.accounted, record.executionId !== null),
    foregroundText(record, naming),
    naming.generations.of(record.inFlight),
    naming.generations.of(record.cancelling),
    ...[...record.executions.values()].map((one) => executionText(one, naming)),
  ].join('|');
}

/** A field that is added to a record must be told here or left out on purpose: else this does not compile. */
type Told<Left extends never> = Left;
export type AllTold =
  | Told<Exclude<keyof SessionRecord, ToldOfRecord | 'sessionId' | 'taskId' | 'rules' | 'error' | 'nextSeq' | LeftOut>>
  | Told<Exclude<keyof Execution, ToldOfExecution | 'id' | 'traits'>>
  | Told<Exclude<keyof Cycle, ToldOfCycle>>
  | Told<Exclude<keyof Registration, ToldOfRegistration | 'seq' | 'label' | 'startedAt' | 'lastEvidenceAt'>>;
type LeftOut = 'view';
type ToldOfRecord =
  | 'state'
  | 'stopReason'
  | 'accounted'
  | 'executionId'
  | 'foreground'
  | 'inFlight'
  | 'cancelling'
  | 'executions';
type ToldOfExecution =
  | 'opened'
  | 'lost'
  | 'mayWake'
  | 'runOver'
  | 'turnEnded'
  | 'registrations'
  | 'hints'
  | 'ended'
  | 'tools'
  | 'rosterRank'
  | 'followUps'
  | 'settleUntil'
  | 'levels'
  | 'run'
  | 'muted';
type ToldOfCycle =
  | 'origin'
  | 'generation'
  | 'rpc'
  | 'ranOn'
  | 'idleOn'
  | 'endDueAt'
  | 'idleAttested'
  | 'completed'
  | 'run'
  | 'stopReason'
  | 'predecessor';
type ToldOfRegistration = 'names' | 'kind' | 'detached' | 'stoppable' | 'stopping' | 'generation';
