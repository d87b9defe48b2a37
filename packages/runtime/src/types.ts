/**
 * Public shapes (docs/CONTRACT: router). Times are ISO 8601 UTC strings, durations milliseconds. The API serves these
 * as they are; the client and the web app see only these.
 */
import type { Liveness, Policy, PromptOrigin, SessionState, Tier, WorkloadKind } from '@vigil/liveness';

export type { Liveness, Policy, PromptOrigin, SessionState, Tier, WorkloadKind };

export type TaskState = 'backlog' | 'in_progress' | 'review' | 'done';

export interface Activity {
  foregroundActivity: Tier | null;
  activeSubagentCount: number;
  /** Revision of the last change of (tier, count). */
  activityRevision: number;
  liveness: Liveness;
}

export interface Task extends Activity {
  id: string;
  title: string;
  description: string;
  state: TaskState;
  position: number;
  parentId: string | null;
  dependsOn: string[];
  archivedAt: string | null;
  pendingPermission: boolean;
  pendingClarification: boolean;
  queuedPromptCount: number;
  sessionIds: string[];
  createdAt: string;
  updatedAt: string;
}

export interface Workload {
  id: string;
  executionId: string;
  /** Transcript entry of the call that launched it: the call may be closed while the work goes on (S26). */
  messageId: string | null;
  kind: WorkloadKind;
  label: string;
  detached: boolean;
  source: 'reported' | 'inferred';
  startedAt: string;
  lastEvidenceAt: string;
  stoppable: boolean;
}

export interface PendingRequest {
  id: string;
  kind: 'permission' | 'clarification';
  title: string;
  detail: string | null;
  askedBy: string | null;
  options: { id: string; kind: string; label: string }[];
  schema: unknown;
  createdAt: string;
}

/** Tokens in the context, how many fit, and what the conversation has cost. */
export interface Usage {
  used: number | null;
  size: number | null;
  cost: number | null;
}

export interface Session extends Activity {
  id: string;
  taskId: string;
  agentId: string;
  provider: string;
  title: string;
  cwd: string;
  state: SessionState;
  executionId: string | null;
  policy: Policy;
  reportsBackground: boolean | null;
  mayWake: boolean;
  awaitingFollowUp: boolean;
  /** The agent's own names of its mode and model, and what it last said of its context and cost; null: it said nothing. */
  mode: string | null;
  model: string | null;
  usage: Usage | null;
  inputMode: 'direct' | 'queue' | 'unavailable';
  inputReason: string | null;
  autoRun: boolean;
  queuedPromptCount: number;
  cancellationPending: boolean;
  /** Generation of the prompt at work, for a cancel that means just that turn; null when none is. */
  generation: number | null;
  /** When the present turn began; null when none is. */
  turnStartedAt: string | null;
  pendingRequests: PendingRequest[];
  workloads: Workload[];
  stopReason: string | null;
  error: string | null;
  createdAt: string;
  updatedAt: string;
}

/** One entry of a transcript, in order of `seq`. Upserted by `id`. */
export type Message = {
  id: string;
  seq: number;
  createdAt: string;
} & (
  | { kind: 'user'; text: string; origin: PromptOrigin; generation: number | null; status: 'dispatched' | 'failed' }
  | { kind: 'assistant' | 'thought'; text: string; parentToolCallId: string | null }
  | {
      kind: 'tool';
      title: string;
      toolKind: string | null;
      /** `unknown`: its turn is over, and no end of it was heard. */
      status: 'pending' | 'in_progress' | 'completed' | 'failed' | 'cancelled' | 'unknown';
      input: unknown;
      content: ToolContent[];
      parentToolCallId: string | null;
      startedAt: string;
      endedAt: string | null;
    }
  | { kind: 'plan'; entries: { content: string; status: string; priority: string }[] }
  /** Boundaries and notices: the end of a turn, a wake, the death of an agent, a new execution. */
  | { kind: 'notice'; level: 'info' | 'warning' | 'error'; text: string; code: NoticeCode }
);

export type NoticeCode =
  | 'turn_ended'
  | 'turn_failed'
  | 'output_lost'
  | 'woken'
  | 'agent_died'
  | 'agent_started'
  | 'cancelled'
  | 'start_failed'
  | 'stalled'
  | 'idle_stopped';

export type ToolContent =
  | { type: 'text'; text: string }
  | { type: 'diff'; path: string; oldText: string | null; newText: string }
  | { type: 'terminal'; terminalId: string; output: string; exitCode: number | null };

export interface QueueEntry {
  messageId: string;
  text: string;
  origin: PromptOrigin;
  /** Why it waits (S80). */
  reason: string | null;
  error: string | null;
  createdAt: string;
}

export interface Queue {
  entries: QueueEntry[];
  autoRun: boolean;
}

export interface SubmitResult {
  outcome: 'dispatched' | 'queued';
  reason: string | null;
  messageId: string;
  epoch: string;
  generation: number | null;
}

export interface TeardownResult {
  outcome: 'retired' | 'superseded' | 'already_retired' | 'unknown_execution';
  cause: string | null;
  endedAt: string | null;
  released: boolean;
}

export interface Snapshot {
  type: 'snapshot';
  epoch: string;
  revision: number;
  tasks: Task[];
  sessions: Session[];
}

interface SessionTuple {
  revision: number;
  taskId: string;
  sessionId: string;
  state: SessionState;
  policy: Policy;
  foregroundActivity: Tier | null;
  activeSubagentCount: number;
}

/**
 * An event of `activity.watch`; its tracked id is `epoch.revision`. A missing field is unchanged; null is none.
 * `session` carries the whole public session at that revision.
 */
export type ActivityEvent =
  | Snapshot
  | { type: 'resumed'; epoch: string; revision: number }
  | ({
      type: 'session.created' | 'session.activity_changed' | 'session.state_changed' | 'session.updated';
    } & SessionTuple & {
        session: Session;
      })
  /** Its state is the last; nothing of it is at work any more. */
  | ({ type: 'session.deleted' } & SessionTuple)
  | { type: 'task.created' | 'task.updated'; revision: number; taskId: string; task: Task }
  | { type: 'task.deleted'; revision: number; taskId: string };

/** An event of `session.watch`. After the snapshot, messages are upserts by id. */
export type SessionStreamEvent =
  | { type: 'snapshot'; epoch: string; revision: number; session: Session; messages: Message[]; queue: Queue }
  | { type: 'resumed'; epoch: string; revision: number }
  | { type: 'message'; revision: number; message: Message }
  /** Text added to the end of an assistant or thought message. `offset` is its length before, to detect a gap. */
  | { type: 'message.appended'; revision: number; messageId: string; offset: number; text: string }
  | { type: 'session'; revision: number; session: Session }
  | { type: 'queue'; revision: number; queue: Queue };

export interface AgentInfo {
  id: string;
  provider: string;
  label: string;
  available: boolean;
  reason: string | null;
}

export interface FeatureInfo {
  key: string;
  description: string;
  risk: 'low' | 'high';
  source: 'env' | 'override' | 'default';
  override: boolean | null;
  effective: boolean;
  restartToApply: boolean;
}

/** What the team set for everybody. */
export interface Settings {
  /** Archiving a task asks first (W4). */
  confirmArchive: boolean;
  /** Tasks move by themselves to *in progress* and *review* (S144). */
  automaticMoves: boolean;
}

export interface ServerInfo {
  version: string;
  epoch: string;
  database: 'embedded' | 'postgres';
  cluster: null;
  /** False while the database does not take what happens: it is kept in memory and written later (S142). */
  saving: boolean;
  /** Why it is not saving, in words for people. */
  notSaving: string | null;
}
