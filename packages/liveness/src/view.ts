import type { WorkloadKind } from './attestation.ts';
import type { SessionState } from './event.ts';
import type { ExecutionId, Generation, Millis, SessionId, TaskId, Tick } from './ids.ts';

/** What is known to be at work. `null` is none (S1). */
export type Tier = 'generating' | 'background';

/** How private state is mapped to what the world sees (S70–S74). */
export type Policy = 'coarse' | 'reported' | 'fine';

/** Whether the pair (tier, count) is known (S9). */
export type Liveness = 'live' | 'unknown';

/** Why a prompt is not admitted now (S80). */
export type RefusalReason =
  | 'generating'
  | 'starting'
  | 'handoff_not_attested'
  | 'provider_busy'
  | 'stopping'
  | 'session_ended';

/** A live registration as the world sees it, under every policy (S144). */
export interface WorkloadView {
  readonly id: string;
  readonly executionId: ExecutionId;
  /** The call that launched it, where its adapter knows one. */
  readonly toolCallId: string | null;
  readonly kind: WorkloadKind;
  readonly label: string;
  readonly detached: boolean;
  readonly source: 'reported' | 'inferred';
  readonly startedAt: Millis;
  readonly lastEvidenceAt: Millis;
  readonly stoppable: boolean;
}

/** The exposed reading of one session: one snapshot, policy applied (S75). */
export interface SessionView {
  readonly sessionId: SessionId;
  readonly taskId: TaskId;
  readonly state: SessionState;
  readonly executionId: ExecutionId | null;
  readonly policy: Policy;
  readonly foregroundActivity: Tier | null;
  readonly activeSubagentCount: number;
  /** Revision of the last change of (tier, count). */
  readonly activityRevision: Tick;
  readonly liveness: Liveness;
  readonly reportsBackground: boolean | null;
  readonly mayWake: boolean;
  readonly awaitingFollowUp: boolean;
  readonly inputMode: 'direct' | 'queue' | 'unavailable';
  readonly inputReason: RefusalReason | null;
  readonly cancellationPending: boolean;
  /** Generation of the prompt that is claimed or at work; null when none is. */
  readonly generation: Generation | null;
  readonly workloads: readonly WorkloadView[];
  readonly stopReason: string | null;
  readonly error: string | null;
}

/** The aggregate of a task's exposed sessions (S90). */
export interface TaskActivity {
  readonly foregroundActivity: Tier | null;
  readonly activeSubagentCount: number;
  readonly liveness: Liveness;
}

/** What one step changed for observers, each numbered by its own tick (S100). */
export type Change = { readonly revision: Tick } & (
  | {
      readonly type: 'session.created' | 'session.activity_changed' | 'session.state_changed' | 'session.updated';
      readonly view: SessionView;
    }
  | { readonly type: 'session.deleted'; readonly sessionId: SessionId; readonly taskId: TaskId }
  | {
      readonly type: 'task.updated';
      readonly taskId: TaskId;
      readonly activity: TaskActivity;
      readonly activityRevision: Tick;
    }
);
