import { Attestation } from '../src/attestation.ts';
import type { SessionState } from '../src/event.ts';
import type { Execution, SessionRecord } from '../src/record.ts';
import type { SessionView } from '../src/view.ts';
import type { Step } from './grow.ts';
import type { Law } from './laws.ts';
import { claimIn, cycleIn } from './work-referee.ts';

const LIVE_STATES: readonly SessionState[] = ['starting', 'running', 'waiting_for_input'];

const servingOf = (record: SessionRecord): Execution | undefined =>
  record.executionId === null ? undefined : record.executions.get(record.executionId);

/** Which coarse state goes with which foreground (S1, S11), and what must be there for it (S2). */
function misshapen(record: SessionRecord): string | null {
  const { state, foreground, executionId } = record;
  const execution = servingOf(record);
  if ((executionId !== null) !== LIVE_STATES.includes(state)) return `execution is ${executionId} in ${state}`;
  if (executionId !== null && execution === undefined) return `execution ${executionId} serves and is not live`;
  if (executionId === null && record.executions.size > 0) return `executions are live in ${state}`;
  if (state === 'running' && foreground.kind === 'free') return 'foreground is free in running';
  if (state === 'starting' && foreground.kind !== 'claimed' && execution?.opened === true)
    return `foreground is ${foreground.kind} in starting`;
  if (!['running', 'starting'].includes(state) && foreground.kind !== 'free')
    return `foreground is ${foreground.kind} in ${state}`;
  const cycle = cycleIn(record);
  const ground = foreground.kind === 'claimed' ? foreground.under : foreground;
  if (ground.kind === 'yielded') {
    if (execution?.registrations.some((one) => one.detached) !== true) return 'yielded without detached work';
    if (cycle?.rpc !== 'open') return `yielded with an RPC that is ${cycle?.rpc}`;
    if (!execution.traits.handoff) return 'yielded without the negotiated handoff';
    if (cycle.origin === 'agent') return 'yielded by an agent-initiated cycle';
  }
  const { cancelling, inFlight } = record;
  const present = [claimIn(record)?.generation, cycle?.generation];
  if (cancelling !== null && !present.includes(cancelling)) return `cancelling ${cancelling}, which is not present`;
  if (claimIn(record) !== null && inFlight !== null && inFlight !== claimIn(record)?.generation) {
    return `inflight is ${inFlight} under claim ${claimIn(record)?.generation}`;
  }
  return null;
}

/** S72, S74: what the record's own history of lists says about its policy. */
const policyIn = (record: SessionRecord, reported: boolean) =>
  record.rules.fine
    ? 'fine'
    : record.rules.reported && reported && servingOf(record)?.traits.reports === true
      ? 'reported'
      : 'coarse';

/** S1, S12, S73 as one table of its own. */
function tierIn(record: SessionRecord, policy: string): SessionView['foregroundActivity'] {
  const execution = servingOf(record);
  const work = execution?.registrations.some((one) => one.detached) === true;
  if (record.state === 'running') {
    return policy === 'fine' && record.foreground.kind === 'yielded' ? 'background' : 'generating';
  }
  if (record.state !== 'waiting_for_input' || policy === 'coarse') return null;
  return work || (execution?.followUps.size ?? 0) > 0 || execution?.settleUntil != null ? 'background' : null;
}

/** S51, S52: who may send a prompt at once. */
function modeIn(record: SessionRecord): SessionView['inputMode'] {
  const { state } = record;
  if (state === 'cancelled') return 'unavailable';
  const busy = record.inFlight !== null || record.cancelling !== null;
  const doubtful = !record.accounted || servingOf(record)?.lost === true;
  if (state === 'starting' || busy || doubtful) return 'queue';
  if (state !== 'running') return 'direct';
  return record.rules.fine && record.foreground.kind === 'yielded' ? 'direct' : 'queue';
}

function hasReported({ event, after }: Step): boolean {
  if (event.type !== 'frame.received' || event.executionId !== after?.executionId) return false;
  return event.facts.some(
    (fact) =>
      fact.kind === 'attested' && Attestation.is(fact.attestation) && fact.attestation.evidence.what === 'roster',
  );
}

/** Each record has a lawful shape, and its view says of it what the tables say. */
export const readingLaw: Law = (steps) => {
  const reported = new Set<string>();
  for (const step of steps) {
    const record = step.after;
    if (record === null) continue;
    if (hasReported(step) && record.executionId !== null) reported.add(record.executionId);
    const problem = misshapen(record);
    if (problem !== null) return problem;
    const { view } = record;
    const policy = policyIn(record, reported.has(record.executionId ?? ''));
    if (view.policy !== policy) return `policy reads ${view.policy}, is ${policy}`;
    const tier = tierIn(record, policy);
    if (view.foregroundActivity !== tier)
      return `tier reads ${view.foregroundActivity}, is ${tier} (${policy}, ${record.state})`;
    const mode = modeIn(record);
    if (view.inputMode !== mode)
      return `input reads ${view.inputMode}, is ${mode} (${record.state}, ${record.foreground.kind})`;
    if ((view.inputReason === null) !== (view.inputMode === 'direct'))
      return `input ${view.inputMode} with reason ${view.inputReason}`;
    const execution = servingOf(record);
    const unknown =
      !record.accounted || execution?.lost === true || Object.values(execution?.levels ?? {}).includes('unknown');
    if ((view.liveness === 'unknown') !== unknown) return `liveness reads ${view.liveness}`;
    if (view.state !== record.state || view.executionId !== record.executionId)
      return `state reads ${view.state}, is ${record.state}`;
    if (
      view.awaitingFollowUp !==
      (record.foreground.kind === 'free' && ((execution?.followUps.size ?? 0) > 0 || execution?.settleUntil != null))
    )
      return 'awaiting reads wrongly';
    const work = [...record.executions.values()].flatMap((one) =>
      one.registrations.map(
        (each) =>
          `${one.id} ${each.names[0]} ${each.kind} ${each.label} ${each.detached} ${each.stoppable} ${one.traits.reports ? 'reported' : 'inferred'}`,
      ),
    );
    const shown = view.workloads.map(
      (each) =>
        `${each.executionId} ${each.id} ${each.kind} ${each.label} ${each.detached} ${each.stoppable} ${each.source}`,
    );
    if (work.join() !== shown.join()) return `workloads read ${shown.join()}, are ${work.join()}`;
  }
  return null;
};

const PAIR = ['foregroundActivity', 'activeSubagentCount'] as const;

/** All that is seen beside pair and state; the time of the last evidence alone is no change (S21). */
function restOf(view: SessionView): string {
  const workloads = view.workloads.map((one) => ({ ...one, lastEvidenceAt: 0 }));
  return JSON.stringify({
    ...view,
    workloads,
    foregroundActivity: null,
    activeSubagentCount: 0,
    activityRevision: 0,
    state: '',
  });
}

/** A transition is published iff what observers see has changed, and says what kind of change it was (S100). */
export const publicationLaw: Law = (steps) => {
  for (const { event, tick, before, after, transitions } of steps) {
    if (before === null || after === null) {
      const created = event.type === 'session.loaded' && event.created && before === null;
      if (transitions.join() !== (created ? 'session.created' : ''))
        return `published ${transitions.join()} for ${event.type}`;
      continue;
    }
    const [was, is] = [before.view, after.view];
    const pair = PAIR.some((field) => was[field] !== is[field]);
    const state = was.state !== is.state;
    const expected = [
      ...(pair ? ['session.activity_changed'] : []),
      ...(state ? ['session.state_changed'] : []),
      ...(restOf(was) !== restOf(is) ? ['session.updated'] : []),
    ];
    if (transitions.join() !== expected.join())
      return `published [${transitions.join()}], changed [${expected.join()}] by ${event.type}`;
    if (is.activityRevision !== (pair ? tick : was.activityRevision))
      return `activity-revision is ${is.activityRevision} at ${tick}`;
  }
  return null;
};
