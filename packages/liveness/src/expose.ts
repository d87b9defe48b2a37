import { admit } from './admission.ts';
import type { SessionState } from './event.ts';
import type { Tick } from './ids.ts';
import {
  current,
  cycleOf,
  type Execution,
  expectsFollowUp,
  hasDetached,
  type Registration,
  type SessionRecord,
} from './record.ts';
import type { Liveness, Policy, SessionView, Tier, WorkloadView } from './view.ts';

/** Which policy reads this session now (S72, S74). No frame of an execution without the agreement can raise it. */
export function policyOf(record: SessionRecord): Policy {
  if (record.rules.fine) return 'fine';
  const execution = current(record);
  const reports = execution?.traits.reports === true && execution.rosterRank !== null;
  return reports && record.rules.reported ? 'reported' : 'coarse';
}

/** What is really at work (S1), whatever the policy. */
export function privateTier(record: SessionRecord): Tier | null {
  const { kind } = record.foreground;
  if (kind === 'claimed' || kind === 'held') return 'generating';
  if (kind === 'yielded') return 'background';
  const execution = current(record);
  return hasDetached(execution) || expectsFollowUp(execution) ? 'background' : null;
}

/** The one seam between private state and the world (S75): the table of S73. */
export function expose(state: SessionState, tier: Tier | null, policy: Policy): Tier | null {
  switch (state) {
    case 'running':
      return policy === 'fine' ? (tier ?? 'generating') : 'generating';
    case 'waiting_for_input':
      return policy !== 'coarse' && tier === 'background' ? 'background' : null;
    case 'created':
    case 'starting':
    case 'idle':
    case 'completed':
    case 'failed':
    case 'cancelled':
      return null;
  }
}

/** Live registrations of kind `subagent`, computed on read (S22). */
function countSubagents(record: SessionRecord): number {
  let count = 0;
  for (const execution of record.executions.values()) {
    for (const one of execution.registrations) if (one.kind === 'subagent') count += 1;
  }
  return count;
}

function livenessOf(record: SessionRecord, execution: Execution | undefined): Liveness {
  if (!record.accounted || execution?.lost === true) return 'unknown';
  const { state, raw } = execution?.levels ?? { state: null, raw: null };
  return state === 'unknown' || raw === 'unknown' ? 'unknown' : 'live';
}

function reportsBackground(execution: Execution | undefined): boolean | null {
  if (execution === undefined || !execution.opened) return null;
  if (!execution.traits.reports) return false;
  if (execution.rosterRank !== null) return true;
  return execution.turnEnded ? false : null;
}

const CALL = 'tool:';

function workloadOf(execution: Execution, one: Registration): WorkloadView {
  return {
    id: one.names[0],
    executionId: execution.id,
    toolCallId: one.names.find((name) => name.startsWith(CALL))?.slice(CALL.length) ?? null,
    kind: one.kind,
    label: one.label,
    detached: one.detached,
    source: execution.traits.reports ? 'reported' : 'inferred',
    startedAt: one.startedAt,
    lastEvidenceAt: one.lastEvidenceAt,
    stoppable: one.stoppable,
  };
}

const NO_WORKLOADS: readonly WorkloadView[] = [];

function workloadsOf(record: SessionRecord): readonly WorkloadView[] {
  const workloads: WorkloadView[] = [];
  for (const execution of record.executions.values()) {
    for (const one of execution.registrations) workloads.push(workloadOf(execution, one));
  }
  return workloads.length === 0 ? NO_WORKLOADS : workloads;
}

/** Equal in all that is told of work; the time of the last evidence is not (S21). */
function sameWorkload(one: WorkloadView, other: WorkloadView | undefined): boolean {
  return (
    one.id === other?.id &&
    one.executionId === other.executionId &&
    one.toolCallId === other.toolCallId &&
    one.kind === other.kind &&
    one.label === other.label &&
    one.detached === other.detached &&
    one.source === other.source &&
    one.startedAt === other.startedAt &&
    one.stoppable === other.stoppable
  );
}

/** True when readings differ in more than the pair and the state. */
export function differs(a: SessionView, b: SessionView): boolean {
  return (
    a.executionId !== b.executionId ||
    a.policy !== b.policy ||
    a.liveness !== b.liveness ||
    a.reportsBackground !== b.reportsBackground ||
    a.mayWake !== b.mayWake ||
    a.awaitingFollowUp !== b.awaitingFollowUp ||
    a.inputMode !== b.inputMode ||
    a.inputReason !== b.inputReason ||
    a.cancellationPending !== b.cancellationPending ||
    a.generation !== b.generation ||
    a.stopReason !== b.stopReason ||
    a.error !== b.error ||
    a.workloads.length !== b.workloads.length ||
    !a.workloads.every((one, index) => sameWorkload(one, b.workloads[index]))
  );
}

/** The parts of an execution that a reading is made of. The others are its memory: tools, names, runs. */
function executionReadsAlike(a: Execution, b: Execution | undefined): boolean {
  return (
    a === b ||
    (a.id === b?.id &&
      a.traits === b.traits &&
      a.opened === b.opened &&
      a.lost === b.lost &&
      a.registrations === b.registrations &&
      a.rosterRank === b.rosterRank &&
      a.turnEnded === b.turnEnded &&
      a.followUps === b.followUps &&
      a.settleUntil === b.settleUntil &&
      a.mayWake === b.mayWake &&
      a.levels === b.levels)
  );
}

/** True when both records give the same reading, told from their parts: most steps change none that is read. */
export function readsAlike(a: SessionRecord, b: SessionRecord): boolean {
  if (
    a.state !== b.state ||
    a.executionId !== b.executionId ||
    a.stopReason !== b.stopReason ||
    a.error !== b.error ||
    a.accounted !== b.accounted ||
    a.foreground !== b.foreground ||
    a.inFlight !== b.inFlight ||
    a.cancelling !== b.cancelling
  )
    return false;
  return a.executions === b.executions || executionsReadAlike(a, b);
}

function executionsReadAlike({ executions }: SessionRecord, other: SessionRecord): boolean {
  if (executions.size !== other.executions.size) return false;
  for (const execution of executions.values()) {
    if (!executionReadsAlike(execution, other.executions.get(execution.id))) return false;
  }
  return true;
}

function sameWork(a: SessionRecord, b: SessionRecord): boolean {
  if (a.executions === b.executions) return true;
  if (a.executions.size !== b.executions.size) return false;
  for (const [id, { registrations, traits }] of a.executions) {
    const other = b.executions.get(id);
    if (other?.registrations !== registrations || other.traits !== traits) return false;
  }
  return true;
}

/** The exposed reading of a record after a step. `before` lends what has not changed, so that equal readings stay equal. */
export function viewOf(record: SessionRecord, step: { before: SessionRecord | null; tick: Tick }): SessionView {
  const { before, tick } = step;
  const execution = current(record);
  const policy = policyOf(record);
  const admission = admit(record, 'human');
  const { foreground } = record;
  const tier = expose(record.state, privateTier(record), policy);
  const count = countSubagents(record);
  const samePair = tier === before?.view.foregroundActivity && count === before.view.activeSubagentCount;
  return {
    sessionId: record.sessionId,
    taskId: record.taskId,
    state: record.state,
    executionId: record.executionId,
    policy,
    foregroundActivity: tier,
    activeSubagentCount: count,
    activityRevision: samePair ? before.view.activityRevision : tick,
    liveness: livenessOf(record, execution),
    reportsBackground: reportsBackground(execution),
    mayWake: execution?.mayWake ?? false,
    awaitingFollowUp: foreground.kind === 'free' && expectsFollowUp(execution),
    inputMode: admission.accepts ? 'direct' : admission.reason === 'session_ended' ? 'unavailable' : 'queue',
    inputReason: admission.accepts ? null : admission.reason,
    cancellationPending: record.cancelling !== null,
    generation: foreground.kind === 'claimed' ? foreground.claim.generation : (cycleOf(foreground)?.generation ?? null),
    workloads: before !== null && sameWork(before, record) ? before.view.workloads : workloadsOf(record),
    stopReason: record.stopReason,
    error: record.error,
  };
}
