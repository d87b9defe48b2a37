import { Attestation, type Evidence, type WorkloadKind } from '../src/attestation.ts';
import type { Fact } from '../src/fact.ts';
import type { Execution, SessionRecord } from '../src/record.ts';
import type { Step } from './grow.ts';
import type { Law } from './laws.ts';

/** What the referee knows of one run: only named yet, live, or ended. Runs that share a name are one. */
interface Run {
  names: Set<string>;
  status: 'named' | 'live' | 'ended';
  kind: WorkloadKind;
  detached: boolean;
  generation: number | null;
  born: number;
}

interface Said {
  readonly kind?: WorkloadKind;
  readonly detached?: boolean;
  readonly generation?: number | null;
}

/** Stands for the generation of work where the code may choose between two turns. */
const UNSURE = -1;
const RANK: Record<WorkloadKind, number> = { other: 0, shell: 1, monitor: 2, subagent: 2 };
const STATUS = { named: 0, live: 1, ended: 2 } as const;

/** One execution's work, kept by the words of S20 to S33 and by nothing of `src`. */
class Ledger {
  runs: Run[] = [];
  #births = 0;
  #listRank: number | null = null;

  /** The one run of these names; made where there is none. */
  #run(names: readonly string[], said: Said): Run {
    const found = this.runs.filter((run) => names.some((name) => run.names.has(name))).sort((a, b) => a.born - b.born);
    const fresh: Run = {
      names: new Set(names),
      status: 'named',
      kind: 'other',
      detached: false,
      generation: null,
      born: Number.POSITIVE_INFINITY,
    };
    const [first = fresh, ...others] = found;
    for (const other of [...others, { ...fresh, ...said }]) {
      for (const name of other.names) first.names.add(name);
      if (RANK[other.kind] > RANK[first.kind]) first.kind = other.kind;
      if (STATUS[other.status] > STATUS[first.status]) first.status = other.status;
      first.detached ||= other.detached;
      first.born = Math.min(first.born, other.born);
      if (first.status === 'live') first.generation ??= other.generation;
    }
    this.runs = [...this.runs.filter((run) => !found.includes(run)), first];
    return first;
  }

  start(names: readonly string[], said: Required<Said>): void {
    const run = this.#run(names, said);
    if (run.status !== 'named') return;
    this.#births += 1;
    Object.assign(run, { status: 'live', born: this.#births, generation: said.generation });
  }

  take(evidence: Evidence, generation: number | null): void {
    switch (evidence.what) {
      case 'started':
        this.start(evidence.names, { kind: evidence.kind, detached: evidence.detached, generation });
        break;
      case 'named':
        this.#run(evidence.names, { kind: evidence.kind ?? 'other', generation });
        break;
      case 'detached':
        this.#run(evidence.names, { detached: true });
        break;
      case 'ended':
        this.#run(evidence.names, {}).status = 'ended';
        break;
      case 'ended.unnamed':
        this.#endOldest(evidence.marked);
        break;
      case 'roster':
        this.#list(evidence, generation);
        break;
    }
  }

  #endOldest(marked: boolean): void {
    const detached = this.live.filter((run) => run.detached);
    if (this.#listRank !== null || (!marked && detached.some((run) => run.kind === 'monitor'))) return;
    const oldest = detached.find((run) => run.kind !== 'monitor');
    if (oldest !== undefined) oldest.status = 'ended';
  }

  #list({ rank, items }: Extract<Evidence, { what: 'roster' }>, generation: number | null): void {
    if (this.#listRank !== null && rank < this.#listRank) {
      for (const item of items) this.#run(item.names, { kind: item.kind, generation });
      return;
    }
    this.#listRank = rank;
    for (const item of items) if (item.status === 'ended') this.#run(item.names, {}).status = 'ended';
    const listed = new Set(items.filter((item) => item.status === 'running').flatMap((item) => item.names));
    for (const run of this.live.filter((one) => one.detached && ![...one.names].some((name) => listed.has(name)))) {
      // What it is called is known still, and worth keeping where it has several names.
      if (run.names.size > 1) Object.assign(run, { status: 'named', born: Number.POSITIVE_INFINITY });
      else this.drop((one) => one === run);
    }
    for (const item of items) {
      if (item.status === 'running') this.start(item.names, { kind: item.kind, detached: true, generation: null });
    }
  }

  /** A closed call ends the work that blocked on it. */
  close(toolCallId: string): void {
    const blocked = this.live.find((run) => !run.detached && run.names.has(`tool:${toolCallId}`));
    if (blocked !== undefined) blocked.status = 'ended';
  }

  /** Of live work that goes with its turn nothing is known any more. */
  drop(goes: (run: Run) => boolean): void {
    this.runs = this.runs.filter((run) => run.status !== 'live' || !goes(run));
  }

  get live(): Run[] {
    return this.runs.filter((run) => run.status === 'live').sort((a, b) => a.born - b.born);
  }
}

export const cycleIn = (record: SessionRecord | null) => {
  if (record === null) return null;
  const { foreground } = record;
  const ground = foreground.kind === 'claimed' ? foreground.under : foreground;
  return ground.kind === 'free' ? null : ground.cycle;
};

export const claimIn = (record: SessionRecord | null) =>
  record?.foreground.kind === 'claimed' ? record.foreground.claim : null;

function takeFact(ledger: Ledger, fact: Fact, generation: number | null): void {
  if (fact.kind === 'attested' && Attestation.is(fact.attestation)) ledger.take(fact.attestation.evidence, generation);
  if (fact.kind === 'tool' && fact.closed) ledger.close(fact.toolCallId);
}

const shown = (run: { kind: string; detached: boolean }) => `${run.kind}${run.detached ? '' : ' (foreground)'}`;

type Given = Pick<Step, 'event' | 'before' | 'after'>;

/** True when this step says that the generation ended, rather than that another prompt took over from it. */
function saysEnd({ event, before }: Given, generation: number): boolean {
  if (event.type !== 'frame.received') return true;
  return event.facts.some(
    (fact) =>
      ((fact.kind === 'rpc.settled' || fact.kind === 'prompt.completed') && fact.generation === generation) ||
      (fact.kind === 'foreground' && cycleIn(before)?.rpc !== 'open') ||
      fact.kind === 'cycle.closed',
  );
}

/** Blocking work ends with its turn, but stays when that was handed over; where no turn was named, the code may choose. */
function endTurn(ledger: Ledger, execution: Execution, given: { step: Given; handedOver: Set<number> }): void {
  const { step, handedOver } = given;
  const [over, now, claim] = [cycleIn(step.before), cycleIn(step.after), claimIn(step.before)];
  const left = over !== null && now?.generation !== over.generation;
  const passing = now === null && claimIn(step.after) === null && saysEnd(step, claim?.generation ?? 0);
  const taken = left && claim !== null && (passing || now?.generation === claim.generation);
  if (taken && !saysEnd(step, over.generation)) handedOver.add(over.generation);
  if (now !== null) handedOver.delete(now.generation);
  const registered = (run: Run) => execution.registrations.some((one) => one.names.some((name) => run.names.has(name)));
  const cancelling = step.before?.cancelling ?? null;
  if (cancelling !== null && step.after?.cancelling !== cancelling) {
    // Whether a cancel reached the agent is certain for a turn at work only: else the code may choose what died with it.
    const certain = left && cancelling === over.generation && !refused(step);
    const dies = (run: Run) => !run.detached || execution.traits.cancelKills.includes(run.kind);
    ledger.drop((run) => dies(run) && (certain || !registered(run)));
  }
  const completed = now?.completed === true && !(over?.generation === now.generation && over.completed);
  const present = [now?.generation, claimIn(step.after)?.generation];
  ledger.drop((run) => {
    if (run.detached) return false;
    if (run.generation === null || run.generation === UNSURE) return !registered(run);
    if (completed && run.generation === now.generation) return true;
    return !present.includes(run.generation) && !handedOver.has(run.generation);
  });
}

/** A prompt that never reached the agent: no cancel did either. */
const refused = ({ event }: Given): boolean =>
  event.type === 'prompt.released' ||
  (event.type === 'frame.received' && event.facts.some((fact) => fact.kind === 'prompt.rejected'));

/** The live work of every execution is what its evidence adds up to, and the count is the number of its subagents. */
export const workLaw: Law = (steps) => {
  const ledgers = new Map<string, Ledger>();
  const handedOver = new Set<number>();
  for (const step of steps) {
    const { event, before, after } = step;
    for (const id of before?.executions.keys() ?? []) if (after?.executions.has(id) !== true) ledgers.delete(id);
    let subagents = 0;
    for (const [id, execution] of after?.executions ?? []) {
      const ledger = ledgers.get(id) ?? new Ledger();
      ledgers.set(id, ledger);
      const facts = event.type === 'frame.received' && event.executionId === id ? event.facts : [];
      // Which of two turns a later fact of the frame that ended the first belongs to, the code may choose.
      const certain =
        facts.length < 2 || cycleIn(before) === null || cycleIn(before)?.generation === cycleIn(after)?.generation;
      const turn = cycleIn(before)?.generation ?? claimIn(before)?.generation ?? null;
      const generation = certain ? turn : UNSURE;
      for (const fact of facts) takeFact(ledger, fact, generation);
      endTurn(ledger, execution, { step, handedOver });
      const [want, got] = [ledger.live.map(shown), execution.registrations.map(shown)];
      if (want.join() !== got.join()) {
        return `live-work of ${id} is [${got.join(', ')}], its evidence adds up to [${want.join(', ')}]`;
      }
      subagents += ledger.live.filter((run) => run.kind === 'subagent').length;
    }
    if (after !== null && after.view.activeSubagentCount !== subagents) {
      return `count is ${after.view.activeSubagentCount}, ${subagents} subagents are live`;
    }
  }
  return null;
};
