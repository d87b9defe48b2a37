import { admit } from './admission.ts';
import type { SessionState } from './event.ts';
import { current, cycleOf, type Execution, expectsFollowUp, hasDetached, type SessionRecord } from './record.ts';
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

function toolCallOf(names: readonly string[]): string | null {
  return names.find((name) => name.startsWith(CALL))?.slice(CALL.length) ?? null;
}

function workloadsOf(record: SessionRecord): readonly WorkloadView[] {
  return [...record.executions.values()].flatMap((execution) =>
    execution.registrations.map((one) => ({
      id: one.names[0],
      executionId: execution.id,
      toolCallId: toolCallOf(one.names),
      kind: one.kind,
      label: one.label,
      detached: one.detached,
      source: execution.traits.reports ? 'reported' : 'inferred',
      startedAt: one.startedAt,
      lastEvidenceAt: one.lastEvidenceAt,
      stoppable: one.stoppable,
    })),
  );
}

const NO_WORKLOADS: readonly WorkloadView[] = [];

function sameWork(a: SessionRecord, b: SessionRecord): boolean {
  if (a.executions === b.executions) return true;
  if (a.executions.size !== b.executions.size) return false;
  return [...a.executions].every(([id, one]) => {
    const other = b.executions.get(id);
    return other?.registrations === one.registrations && other.traits === one.traits;
  });
}

/** Equal in all that is told; the time of the last evidence is not (S21). */
export function sameWorkloads(a: readonly WorkloadView[], b: readonly WorkloadView[]): boolean {
  return a === b || (a.length === b.length && a.every((one, index) => sameWorkload(one, b[index])));
}

function sameWorkload(a: WorkloadView, b: WorkloadView | undefined): boolean {
  return (
    a.id === b?.id &&
    a.executionId === b.executionId &&
    a.toolCallId === b.toolCallId &&
    a.kind === b.kind &&
    a.label === b.label &&
    a.detached === b.detached &&
    a.source === b.source &&
    a.startedAt === b.startedAt &&
    a.stoppable === b.stoppable
  );
}

/** The exposed reading of a record. `before` lends what has not changed, so that equal readings stay equal. */
export function viewOf(record: SessionRecord, before: SessionRecord | null): SessionView {
  const execution = current(record);
  const policy = policyOf(record);
  const admission = admit(record, 'human');
  const { foreground } = record;
  const work = before !== null && sameWork(before, record) ? before.view.workloads : workloadsOf(record);
  return {
    sessionId: record.sessionId,
    taskId: record.taskId,
    state: record.state,
    executionId: record.executionId,
    policy,
    foregroundActivity: expose(record.state, privateTier(record), policy),
    activeSubagentCount: countSubagents(record),
    activityRevision: record.activityRevision,
    liveness: livenessOf(record, execution),
    reportsBackground: reportsBackground(execution),
    mayWake: execution?.mayWake ?? false,
    awaitingFollowUp: foreground.kind === 'free' && expectsFollowUp(execution),
    inputMode: admission.accepts ? 'direct' : admission.reason === 'session_ended' ? 'unavailable' : 'queue',
    inputReason: admission.accepts ? null : admission.reason,
    cancellationPending: record.cancelling !== null,
    generation: foreground.kind === 'claimed' ? foreground.claim.generation : (cycleOf(foreground)?.generation ?? null),
    workloads: work.length === 0 ? NO_WORKLOADS : work,
    stopReason: record.stopReason,
    error: record.error,
  };
}
