import { Attestation, type Evidence, type WorkloadKind } from '../src/attestation.ts';
import type { Fact } from '../src/fact.ts';
import type { Execution, SessionRecord } from '../src/record.ts';
import type { Step } from './grow.ts';
import type { Law } from './laws.ts';

/** What the referee knows of one run: one that is live or has ended. Runs that share a name are one. */
interface Run {
  names: Set<string>;
  ended: boolean;
  live: boolean;
  kind: WorkloadKind;
  detached: boolean;
  generation: number | null;
  born: number;
}

const RANK: Record<WorkloadKind, number> = { other: 0, shell: 1, monitor: 2, subagent: 2 };

/** One execution's work, kept by the words of S20 to S33 and by nothing of `src`. */
class Ledger {
  runs: Run[] = [];
  listRank: number | null = null;
  #births = 0;

  #find(names: readonly string[]): Run | undefined {
    const found = this.runs.filter((run) => names.some((name) => run.names.has(name)));
    const [first, ...others] = found.sort((a, b) => a.born - b.born);
    if (first === undefined) return undefined;
    for (const name of names) first.names.add(name);
    for (const other of others) this.#merge(first, other);
    return first;
  }

  #merge(first: Run, other: Run): void {
    for (const name of other.names) first.names.add(name);
    const [live, both] = [first.live || other.live, first.live && other.live];
    if (!both && other.live) Object.assign(first, { kind: other.kind, detached: other.detached, generation: other.generation, born: other.born });
    if (both && RANK[other.kind] > RANK[first.kind]) first.kind = other.kind;
    if (both) first.detached ||= other.detached;
    if (both) first.generation ??= other.generation;
    first.ended ||= other.ended;
    first.live = live && !first.ended;
    this.runs = this.runs.filter((run) => run !== other);
  }

  start(names: readonly string[], given: { kind: WorkloadKind; detached: boolean; generation: number | null }): void {
    const known = this.#find(names);
    if (known?.ended === true) {
      known.live = false;
      return;
    }
    if (known === undefined || !known.live) {
      this.#births += 1;
      const run: Run = { names: new Set(names), ended: false, live: true, born: this.#births, ...given };
      if (known === undefined) this.runs.push(run);
      else Object.assign(known, { ...run, names: known.names });
      return;
    }
    if (RANK[given.kind] > RANK[known.kind]) known.kind = given.kind;
    known.detached ||= given.detached;
    known.generation ??= given.generation;
  }

  end(names: readonly string[]): void {
    const known = this.#find(names);
    if (known === undefined) this.runs.push({ names: new Set(names), ended: true, live: false, kind: 'other', detached: false, generation: null, born: 0 });
    else Object.assign(known, { ended: true, live: false });
  }

  take(evidence: Evidence, generation: number | null): void {
    switch (evidence.what) {
      case 'started':
        return this.start(evidence.names, { kind: evidence.kind, detached: evidence.detached, generation });
      case 'named': {
        const known = this.#find(evidence.names);
        if (known?.ended === true) known.live = false;
        if (known?.live === true && evidence.kind !== undefined && RANK[evidence.kind] > RANK[known.kind]) known.kind = evidence.kind;
        return;
      }
      case 'detached': {
        const known = this.#find(evidence.names);
        if (known?.ended === true) known.live = false;
        if (known?.live === true) known.detached = true;
        return;
      }
      case 'ended':
        return this.end(evidence.names);
      case 'ended.unnamed':
        return this.#endOldest(evidence.marked);
      case 'roster':
        return this.#list(evidence, generation);
    }
  }

  #endOldest(marked: boolean): void {
    const detached = this.runs.filter((run) => run.live && run.detached).sort((a, b) => a.born - b.born);
    if (this.listRank !== null || (!marked && detached.some((run) => run.kind === 'monitor'))) return;
    const oldest = detached.find((run) => run.kind !== 'monitor');
    if (oldest !== undefined) Object.assign(oldest, { ended: true, live: false });
  }

  #list({ rank, items }: Extract<Evidence, { what: 'roster' }>, generation: number | null): void {
    if (this.listRank !== null && rank < this.listRank) {
      for (const item of items) this.take({ what: 'named', names: item.names, kind: item.kind }, generation);
      return;
    }
    this.listRank = rank;
    const listed = new Set(items.filter((item) => item.status === 'running').flatMap((item) => item.names));
    for (const item of items) {
      const known = this.runs.find((run) => item.names.some((name) => run.names.has(name)));
      if (item.status !== 'ended') continue;
      const blocks = known?.live === true && !known.detached;
      this.end(item.names);
      // No list retires blocking work; but that it is over is known, and shows with the next word on it.
      if (known !== undefined && blocks) known.live = true;
    }
    for (const run of this.runs) {
      if (run.detached && ![...run.names].some((name) => listed.has(name))) run.live = false;
    }
    for (const item of items) {
      if (item.status === 'running') this.start(item.names, { kind: item.kind, detached: true, generation: null });
    }
  }

  /** A closed call ends the work that blocked on it. */
  close(toolCallId: string): void {
    const blocked = this.runs.find((run) => run.live && !run.detached && run.names.has(`tool:${toolCallId}`));
    if (blocked !== undefined) Object.assign(blocked, { ended: true, live: false });
  }

  /** Of a run that is neither live nor ended nothing is known: a list that omits it says no more. */
  forget(): void {
    this.runs = this.runs.filter((run) => run.live || run.ended);
  }

  get live(): Run[] {
    return this.runs.filter((run) => run.live).sort((a, b) => a.born - b.born);
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
  ledger.forget();
}

const shown = (run: { kind: string; detached: boolean }) => `${run.kind}${run.detached ? '' : ' (foreground)'}`;

type Given = Pick<Step, 'event' | 'before' | 'after'>;

/** True when this step says that the generation ended, rather than that another prompt took over from it. */
function saysEnd({ event }: Given, generation: number): boolean {
  if (event.type !== 'frame.received') return true;
  return event.facts.some(
    (fact) =>
      (fact.kind === 'rpc.settled' && fact.generation === generation) ||
      fact.kind === 'foreground' ||
      fact.kind === 'cycle.closed' ||
      fact.kind === 'prompt.completed',
  );
}

/** Blocking work ends with its turn, but stays when that was handed over; where no turn was named, the code may choose. */
function endTurn(ledger: Ledger, execution: Execution, given: { step: Given; handedOver: Set<number> }): void {
  const { step, handedOver } = given;
  const [over, now] = [cycleIn(step.before), cycleIn(step.after)];
  const left = over !== null && now?.generation !== over.generation;
  const taken = left && now !== null && now.generation === claimIn(step.before)?.generation;
  if (taken && !saysEnd(step, over.generation)) handedOver.add(over.generation);
  if (left && step.before?.cancelling === over.generation && !handedOver.has(over.generation)) {
    for (const run of ledger.live) if (run.detached && execution.traits.cancelKills.includes(run.kind)) run.live = false;
  }
  const claim = claimIn(step.before);
  const unclaimed = claim?.dispatched === true && claimIn(step.after) === null && now?.generation !== claim.generation;
  if (unclaimed && step.before?.cancelling === claim.generation) {
    for (const run of ledger.live) if (run.detached && execution.traits.cancelKills.includes(run.kind)) run.live = false;
  }
  const completed = now?.completed === true && over?.generation === now.generation && !over.completed;
  const present = [now?.generation, claimIn(step.after)?.generation];
  for (const run of ledger.live.filter((one) => !one.detached)) {
    const registered = execution.registrations.some((one) => one.names.some((name) => run.names.has(name)));
    if (run.generation === null) run.live = registered;
    else if (completed && run.generation === now.generation) run.live = false;
    else if (!present.includes(run.generation) && !handedOver.has(run.generation)) run.live = false;
  }
}

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
      const generation = cycleIn(before)?.generation ?? claimIn(before)?.generation ?? null;
      const facts = event.type === 'frame.received' && event.executionId === id ? event.facts : [];
      for (const fact of facts) takeFact(ledger, fact, generation);
      endTurn(ledger, execution, { step, handedOver });
      ledger.forget();
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
