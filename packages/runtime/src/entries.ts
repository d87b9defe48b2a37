import type { Outbox, PromptOrigin, SessionView, TaskActivity } from '@vigil/liveness';
import type { Lane } from './lane.ts';
import type { PromptQueue } from './prompt-queue.ts';
import type { Draft, Transcript } from './transcript.ts';
import { transcriptId } from './transcript-id.ts';
import type { PendingRequest, Session, Task, TaskState } from './types.ts';

/** A permission or a clarification that is open (S132). */
export interface OpenRequest extends PendingRequest {
  readonly executionId: string;
  /** The agent's own id of it. */
  readonly agentRequestId: string;
  /** True when a detached child asks: a foreground cancel does not answer it. */
  readonly background: boolean;
}

/** A turn whose end is not in the transcript yet. */
export interface OpenTurn {
  readonly generation: number;
  readonly startedAt: number;
  /** Nobody prompted it. */
  readonly origin: PromptOrigin | 'agent';
}

/** What a session is besides its liveness: durable facets, and what hangs on it in this process. */
export interface SessionEntry {
  readonly id: string;
  readonly taskId: string;
  readonly agentId: string;
  readonly provider: string;
  readonly cwd: string;
  readonly createdAt: string;
  title: string;
  updatedAt: string;
  agentSessionId: string | null;
  readonly queue: PromptQueue;
  readonly requests: Map<string, OpenRequest>;
  readonly transcript: Transcript;
  /** Submissions are taken one after another, so that they keep their order (S81). */
  readonly lane: Lane;
  /** So are changes of the queue; neither waits for the other. */
  readonly edits: Lane;
  turn: OpenTurn | null;
  /** Notices of the frame that is being read; null when none is. */
  heldNotices: Draft[] | null;
  /** What the agent of the present execution said of itself. */
  said: Pick<Session, 'mode' | 'model' | 'usage'>;
  turnStartedAt: string | null;
  cancelTimer: NodeJS.Timeout | null;
  /** Being deleted: takes no prompt (S114). */
  leaving: boolean;
  /** Told what changed in the session; see session-stream.ts. */
  readonly audience: Outbox<SessionMark>;
  /** Revision of the last change of the public session, and of its queue. */
  revision: number;
  queueRevision: number;
  shown: Session;
}

/** Something of the session changed; the reader renders the present value when it takes the mark. */
export interface SessionMark {
  readonly revision: number;
}

export interface TaskEntry {
  readonly id: string;
  readonly createdAt: string;
  title: string;
  description: string;
  state: TaskState;
  position: number;
  parentId: string | null;
  dependsOn: readonly string[];
  archivedAt: string | null;
  updatedAt: string;
  readonly sessionIds: Set<string>;
  /** Kept by difference: how many of its sessions have such a request, and how many prompts wait. */
  permissions: number;
  clarifications: number;
  queued: number;
  shown: Task;
}

/** Before an agent said anything of itself. */
export const NOTHING_SAID: SessionEntry['said'] = { mode: null, model: null, usage: null };

const iso = (ms: number): string => new Date(ms).toISOString();

/** The public session: facets and reading together. */
export function composeSession(entry: Omit<SessionEntry, 'shown'>, view: SessionView): Session {
  return {
    id: entry.id,
    taskId: entry.taskId,
    agentId: entry.agentId,
    provider: entry.provider,
    title: entry.title,
    cwd: entry.cwd,
    state: view.state,
    executionId: view.executionId,
    policy: view.policy,
    foregroundActivity: view.foregroundActivity,
    activeSubagentCount: view.activeSubagentCount,
    activityRevision: view.activityRevision,
    liveness: view.liveness,
    reportsBackground: view.reportsBackground,
    mayWake: view.mayWake,
    awaitingFollowUp: view.awaitingFollowUp,
    mode: entry.said.mode,
    model: entry.said.model,
    usage: entry.said.usage,
    inputMode: view.inputMode,
    inputReason: view.inputReason,
    autoRun: entry.queue.autoRun,
    queuedPromptCount: entry.queue.length,
    cancellationPending: view.cancellationPending,
    generation: view.generation,
    turnStartedAt: entry.turnStartedAt,
    pendingRequests: [...entry.requests.values()].map(showRequest),
    workloads: view.workloads.map(({ toolCallId, ...one }) => ({
      ...one,
      messageId: toolCallId === null ? null : transcriptId(one.executionId, toolCallId),
      startedAt: iso(one.startedAt),
      lastEvidenceAt: iso(one.lastEvidenceAt),
    })),
    stopReason: view.stopReason,
    error: view.error,
    createdAt: entry.createdAt,
    updatedAt: entry.updatedAt,
  };
}

function showRequest(request: OpenRequest): PendingRequest {
  const { id, kind, title, detail, askedBy, options, schema, createdAt } = request;
  return { id, kind, title, detail, askedBy, options, schema, createdAt };
}

/** The public task: row, sums over its sessions, and aggregate. */
export function composeTask(
  entry: Omit<TaskEntry, 'shown'>,
  activity: TaskActivity & { activityRevision: number },
): Task {
  return {
    id: entry.id,
    title: entry.title,
    description: entry.description,
    state: entry.state,
    position: entry.position,
    parentId: entry.parentId,
    dependsOn: [...entry.dependsOn],
    archivedAt: entry.archivedAt,
    pendingPermission: entry.permissions > 0,
    pendingClarification: entry.clarifications > 0,
    queuedPromptCount: entry.queued,
    sessionIds: [...entry.sessionIds],
    foregroundActivity: activity.foregroundActivity,
    activeSubagentCount: activity.activeSubagentCount,
    activityRevision: activity.activityRevision,
    liveness: activity.liveness,
    createdAt: entry.createdAt,
    updatedAt: entry.updatedAt,
  };
}
