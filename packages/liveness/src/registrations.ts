import type { Evidence, RosterItem, WorkloadKind } from './attestation.ts';
import type { Generation, Millis } from './ids.ts';
import type { Execution, Registration } from './record.ts';

/** When and during which cycle evidence arrived. */
export interface Moment {
  readonly at: Millis;
  readonly generation: Generation | null;
  readonly nextSeq: number;
}

const SPECIFIC: Readonly<Record<WorkloadKind, number>> = { other: 0, shell: 1, monitor: 2, subagent: 2 };

type Names = Registration['names'];
type Started = Extract<Evidence, { what: 'started' }>;

/** What the evidence makes of the registry (S20–S33). Returns the same execution when it changes nothing. */
export function track(execution: Execution, evidence: Evidence, moment: Moment): Execution {
  switch (evidence.what) {
    case 'started':
      return start(execution, evidence, moment);
    case 'detached':
      return amend(name(execution, evidence, moment), evidence.names, {
        detached: true,
        generation: null,
        lastEvidenceAt: moment.at,
      });
    case 'named':
      return name(execution, evidence, moment);
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
  const known = execution.registrations.filter((one) => shares(one.names, evidence.names));
  const fresh = registration(evidence, moment);
  const merged = known.reduce(join, fresh);
  const first = known[0];
  if (first === undefined) return { ...execution, registrations: [...execution.registrations, fresh] };
  if (known.length === 1 && sameButSeen(first, merged)) return execution;
  const rest = execution.registrations.filter((one) => !known.includes(one));
  return { ...execution, registrations: inOrder([...rest, merged]) };
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

/** Aliases of a live run, or of one that has ended; makes nothing live. */
function name(execution: Execution, evidence: Omit<Extract<Evidence, { what: 'named' }>, 'what'>, moment: Moment): Execution {
  if (hasEnded(execution, evidence.names)) return end(execution, evidence.names);
  const known = execution.registrations.find((one) => shares(one.names, evidence.names));
  if (known === undefined) return execution;
  return start(
    execution,
    {
      what: 'started',
      names: evidence.names,
      kind: evidence.kind ?? 'other',
      detached: known.detached,
      ...(evidence.label === undefined ? {} : { label: evidence.label }),
      ...(evidence.stoppable === undefined ? {} : { stoppable: evidence.stoppable }),
    },
    moment,
  );
}

/** Retires exactly the run of these names, and remembers that its terminal was reported (S27). */
export function end(execution: Execution, names: readonly string[]): Execution {
  const gone = execution.registrations.filter((one) => shares(one.names, names));
  const after = remember(execution, [...names, ...gone.flatMap((one) => one.names)]);
  return gone.length === 0
    ? after
    : { ...after, registrations: execution.registrations.filter((one) => !gone.includes(one)) };
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
    return roster.items.reduce((known, item) => name(known, details(item), moment), execution);
  }
  const running = roster.items.filter((item) => item.status === 'running');
  const listed = new Set(running.flatMap((item) => item.names));
  const kept = execution.registrations.filter((one) => !one.detached || one.names.some((each) => listed.has(each)));
  const over = roster.items.filter((item) => item.status === 'ended');
  const finished = over.flatMap((item) => item.names);
  const gone = execution.registrations.filter((one) => !kept.includes(one) && shares(one.names, finished));
  const followUps = new Set(over.map((item) => item.names[0]));
  const pruned: Execution = {
    ...remember(execution, [...finished, ...gone.flatMap((one) => one.names)]),
    rosterRank: roster.rank,
    followUps: sameSet(execution.followUps, followUps) ? execution.followUps : followUps,
    registrations: kept.length === execution.registrations.length ? execution.registrations : kept,
  };
  const after = running.reduce(
    (known, item, index) =>
      start(known, { what: 'started', detached: true, ...details(item) }, { ...moment, nextSeq: moment.nextSeq + index }),
    pruned,
  );
  return sameExecution(execution, after) ? execution : after;
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
  return { ...execution, registrations: execution.registrations.map((one) => (one === known ? next : one)) };
}

/** Keeps only the registrations that pass; those that go are not remembered as ended. */
export function retain(execution: Execution, keep: (one: Registration) => boolean): Execution {
  const kept = execution.registrations.filter(keep);
  return kept.length === execution.registrations.length ? execution : { ...execution, registrations: kept };
}

function hasEnded(execution: Execution, names: readonly string[]): boolean {
  return execution.ended.size > 0 && names.some((each) => execution.ended.has(each));
}

/** A run that ended under one name has ended under all of them. */
function remember(execution: Execution, names: readonly string[]): Execution {
  if (names.every((each) => execution.ended.has(each))) return execution;
  return { ...execution, ended: new Set([...execution.ended, ...names]) };
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
    a.followUps === b.followUps &&
    a.rosterRank === b.rosterRank &&
    a.ended === b.ended
  );
}
