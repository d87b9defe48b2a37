import type { Evidence, RosterItem, WorkloadKind } from './attestation.ts';
import type { Generation, Millis } from './ids.ts';
import { knows, noted } from './name-log.ts';
import { type Execution, executionWith, type Registration } from './record.ts';

/** When and during which cycle evidence arrived. */
export interface Moment {
  readonly at: Millis;
  readonly generation: Generation | null;
  readonly nextSeq: number;
}

/** Stands for the `seq` of what is known of a run that is not live: newer than any live one, so that it never lends its age. */
const NEVER_LIVED = Number.MAX_SAFE_INTEGER;
/** Most runs that something is known of before they live; the oldest are forgotten first. */
const HINTS_LIMIT = 1024;

const SPECIFIC: Readonly<Record<WorkloadKind, number>> = { other: 0, shell: 1, monitor: 2, subagent: 2 };

type Names = Registration['names'];
type Started = Extract<Evidence, { what: 'started' }>;

/** What the evidence makes of the registry (S20–S33). Returns the same execution when it changes nothing. */
export function track(execution: Execution, evidence: Evidence, moment: Moment): Execution {
  switch (evidence.what) {
    case 'started':
      return start(execution, evidence, moment);
    case 'detached':
      return name(execution, { names: evidence.names, detached: true }, moment);
    case 'named':
      return name(execution, { ...evidence, detached: false }, moment);
    case 'ended':
      return end(execution, evidence.names);
    case 'ended.unnamed':
      return endOldest(execution, evidence.marked);
    case 'roster':
      return reconcile(execution, evidence, moment);
  }
}

function start(execution: Execution, evidence: Started, moment: Moment): Execution {
  if (hasEnded(execution, evidence.names)) return end(execution, evidence.names);
  const isThis = (one: Registration) => shares(one.names, evidence.names);
  const known = execution.registrations.filter(isThis);
  const hints = execution.hints.filter(isThis);
  const merged = [...known, ...hints].reduce(join, registration(evidence, moment));
  const [first] = known;
  if (first !== undefined && known.length === 1 && sameRegistration(first, merged)) return execution;
  const rest = execution.registrations.filter((one) => !known.includes(one));
  return executionWith(execution, {
    registrations: inOrder([...rest, merged]),
    hints: hints.length === 0 ? execution.hints : execution.hints.filter((one) => !hints.includes(one)),
  });
}

function registration(evidence: Started, moment: Moment): Registration {
  return {
    seq: moment.nextSeq,
    names: evidence.names,
    kind: evidence.kind,
    label: evidence.label ?? '',
    startedAt: moment.at,
    lastEvidenceAt: moment.at,
    detached: evidence.detached,
    stoppable: evidence.stoppable ?? false,
    generation: evidence.detached ? null : moment.generation,
    stopping: false,
  };
}

/** One run under two names: the older `seq`, the union of the fields, the more specific kind (S20). */
function join(a: Registration, b: Registration): Registration {
  const [older, newer] = a.seq <= b.seq ? [a, b] : [b, a];
  return {
    seq: older.seq,
    names: union(older.names, newer.names),
    kind: SPECIFIC[newer.kind] > SPECIFIC[older.kind] ? newer.kind : older.kind,
    label: older.label || newer.label,
    startedAt: older.startedAt,
    lastEvidenceAt: Math.max(older.lastEvidenceAt, newer.lastEvidenceAt),
    detached: older.detached || newer.detached,
    stoppable: older.stoppable || newer.stoppable,
    generation: older.detached || newer.detached ? null : (older.generation ?? newer.generation),
    stopping: older.stopping || newer.stopping,
  };
}

/** What a frame says of a run without saying that it lives. */
interface Naming {
  readonly names: Names;
  readonly detached: boolean;
  readonly kind?: WorkloadKind;
  readonly label?: string;
  readonly stoppable?: boolean;
}

/** Aliases of a live run, or of one that has ended; makes nothing live. Of a run not yet live it is kept (S20, S32). */
function name(execution: Execution, naming: Naming, moment: Moment): Execution {
  if (hasEnded(execution, naming.names)) return end(execution, naming.names);
  const said: Started = { what: 'started', ...naming, kind: naming.kind ?? 'other' };
  const isThis = (one: Registration) => shares(one.names, naming.names);
  if (execution.registrations.some(isThis)) return start(execution, said, moment);
  const known = execution.hints.filter(isThis);
  const hint: Registration = { ...registration(said, moment), seq: NEVER_LIVED, generation: null };
  const merged = known.reduce((fresh, one) => join(one, fresh), hint);
  const [first] = known;
  if (first !== undefined && known.length === 1 && sameButSeen(first, merged)) return execution;
  const rest = execution.hints.filter((one) => !known.includes(one));
  return executionWith(execution, { hints: [...rest, merged].slice(-HINTS_LIMIT) });
}

/** Retires exactly the run of these names, and remembers that its terminal was reported (S27). */
export function end(execution: Execution, names: readonly string[]): Execution {
  const isThis = (one: Registration) => shares(one.names, names);
  const gone = [...execution.registrations, ...execution.hints].filter(isThis);
  const after = remember(execution, [...names, ...gone.flatMap((one) => one.names)]);
  if (gone.length === 0) return after;
  const isElse = (one: Registration) => !gone.includes(one);
  return executionWith(retain(after, isElse), { hints: after.hints.filter(isElse) });
}

/** Retires the oldest detached workload that is no monitor (S28); while a list decides, nothing. */
function endOldest(execution: Execution, marked: boolean): Execution {
  if (execution.rosterRank !== null) return execution;
  const monitored = execution.registrations.some((one) => one.detached && one.kind === 'monitor');
  if (monitored && !marked) return execution;
  const oldest = execution.registrations.find((one) => one.detached && one.kind !== 'monitor');
  return oldest === undefined ? execution : end(execution, oldest.names);
}

/** Makes the detached work what a complete list says (S32). */
function reconcile(execution: Execution, roster: Extract<Evidence, { what: 'roster' }>, moment: Moment): Execution {
  if (execution.rosterRank !== null && roster.rank < execution.rosterRank) {
    return roster.items.reduce((known, item) => name(known, { ...details(item), detached: false }, moment), execution);
  }
  const running = roster.items.filter((item) => item.status === 'running');
  const listed = new Set(running.flatMap((item) => item.names));
  const over = roster.items.filter((item) => item.status === 'ended');
  const followUps = new Set(over.map((item) => item.names[0]));
  const ended = over.reduce((known, item) => end(known, item.names), execution);
  const isListed = (one: Registration) => !one.detached || one.names.some((each) => listed.has(each));
  const pruned = executionWith(
    omit(ended, (one) => !isListed(one)),
    { rosterRank: roster.rank, followUps: sameSet(execution.followUps, followUps) ? execution.followUps : followUps },
  );
  const after = running.reduce(
    (known, item, index) =>
      start(
        known,
        { what: 'started', detached: true, ...details(item) },
        { ...moment, nextSeq: moment.nextSeq + index },
      ),
    pruned,
  );
  return sameExecution(execution, after) ? execution : after;
}

/** What a list omits is not live, but a list may bring it back (S33) and a late frame may still name it (S20). */
function omit(execution: Execution, isGone: (one: Registration) => boolean): Execution {
  const gone = execution.registrations.filter(isGone);
  if (gone.length === 0) return execution;
  const aliased = gone.filter((one) => one.names.length > 1);
  const hints = aliased.map((one) => ({ ...one, seq: NEVER_LIVED, stopping: false }));
  return executionWith(
    retain(execution, (one) => !gone.includes(one)),
    { hints: [...execution.hints, ...hints].slice(-HINTS_LIMIT) },
  );
}

function details(item: RosterItem) {
  return {
    names: item.names,
    kind: item.kind,
    ...(item.label === undefined ? {} : { label: item.label }),
    ...(item.stoppable === undefined ? {} : { stoppable: item.stoppable }),
  };
}

/** The registration under this name with these fields changed. */
export function amend(execution: Execution, names: readonly string[], change: Partial<Registration>): Execution {
  const known = execution.registrations.find((one) => shares(one.names, names));
  if (known === undefined) return execution;
  const next = { ...known, ...change };
  if (sameButSeen(known, next)) return execution;
  return executionWith(execution, {
    registrations: execution.registrations.map((one) => (one === known ? next : one)),
  });
}

/** Keeps only the registrations that pass; those that go are not remembered as ended. */
export function retain(execution: Execution, keep: (one: Registration) => boolean): Execution {
  const kept = execution.registrations.filter(keep);
  return kept.length === execution.registrations.length ? execution : executionWith(execution, { registrations: kept });
}

function hasEnded(execution: Execution, names: readonly string[]): boolean {
  return names.some((each) => knows(execution.ended, each));
}

/** A run that ended under one name has ended under all of them. */
function remember(execution: Execution, names: readonly string[]): Execution {
  const ended = noted(execution.ended, names);
  return ended === execution.ended ? execution : executionWith(execution, { ended });
}

const shares = (a: readonly string[], b: readonly string[]): boolean => a.some((each) => b.includes(each));
const inOrder = (list: Registration[]): readonly Registration[] => list.sort((a, b) => a.seq - b.seq);

function union(a: Names, b: readonly string[]): Names {
  const more = b.filter((each) => !a.includes(each));
  return more.length === 0 ? a : [...a, ...more];
}

function sameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((each) => b.has(each));
}

function sameRegistration(a: Registration, b: Registration): boolean {
  return a.lastEvidenceAt === b.lastEvidenceAt && sameButSeen(a, b);
}

/** Equal in all that the revision follows: everything but the time of the last evidence (S21). */
function sameButSeen(a: Registration, b: Registration): boolean {
  return (
    a.seq === b.seq &&
    a.names.length === b.names.length &&
    a.kind === b.kind &&
    a.label === b.label &&
    a.detached === b.detached &&
    a.stoppable === b.stoppable &&
    a.generation === b.generation &&
    a.stopping === b.stopping
  );
}

function sameExecution(a: Execution, b: Execution): boolean {
  return (
    a.registrations === b.registrations &&
    a.hints === b.hints &&
    a.followUps === b.followUps &&
    a.rosterRank === b.rosterRank &&
    a.ended === b.ended
  );
}
