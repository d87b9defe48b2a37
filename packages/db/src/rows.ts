/** Plain rows, as every caller sees them. Times are ISO 8601 strings in UTC with milliseconds. */

export const TASK_STATES = ['backlog', 'in_progress', 'review', 'done'] as const;
export type TaskState = (typeof TASK_STATES)[number];

export const SESSION_STATES = [
  'created',
  'starting',
  'running',
  'waiting_for_input',
  'idle',
  'completed',
  'failed',
  'cancelled',
] as const;
export type SessionState = (typeof SESSION_STATES)[number];

/** The states in which a session has an execution (S11). */
export const LIVE_SESSION_STATES = ['starting', 'running', 'waiting_for_input'] as const satisfies SessionState[];

export const PROMPT_ORIGINS = ['human', 'wakeup'] as const;
export type PromptOrigin = (typeof PROMPT_ORIGINS)[number];

/** `queued` and `reserved` are open; the others are outcomes and final. */
export const PROMPT_STATUSES = ['queued', 'reserved', 'delivered', 'refused', 'dropped'] as const;
export type PromptStatus = (typeof PROMPT_STATUSES)[number];
export type PromptOutcome = Exclude<PromptStatus, 'queued' | 'reserved'>;

export const REQUEST_KINDS = ['permission', 'clarification'] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];

/** A unit of work on the board. */
export interface TaskRow {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly state: TaskState;
  /** Place in its column, ascending; may be a fraction. */
  readonly position: number;
  readonly parentId: string | null;
  readonly dependsOn: string[];
  readonly archivedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** One conversation with one agent. */
export interface SessionRow {
  readonly id: string;
  readonly taskId: string;
  readonly agentId: string;
  /** Launch identity (S72). */
  readonly provider: string;
  readonly title: string;
  readonly cwd: string;
  readonly state: SessionState;
  /** Not null exactly in `LIVE_SESSION_STATES`. */
  readonly executionId: string | null;
  /** The agent's own id of the conversation, to resume it. */
  readonly agentSessionId: string | null;
  readonly autoRun: boolean;
  readonly stopReason: string | null;
  readonly error: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A coarse change of a session, kept for audit. */
export interface TransitionRow {
  readonly sessionId: string;
  readonly from: SessionState;
  readonly to: SessionState;
  readonly cause: string;
  readonly at: string;
}

/** One agent process that serves, or served, a session. */
export interface ExecutionRow {
  readonly id: string;
  readonly sessionId: string;
  readonly pid: number | null;
  /** As the operating system tells it; with `pid` it names one process for good. */
  readonly processStartTime: string | null;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly cause: string | null;
  readonly causeDetail: string | null;
}

/** A submitted prompt: an entry of the queue while it is open, and afterwards the outcome of its client key. */
export interface PromptRow {
  /** The message id. */
  readonly id: string;
  readonly sessionId: string;
  /** Chosen by the client, unique in the session: the same key is the same prompt (S80). */
  readonly clientKey: string;
  readonly origin: PromptOrigin;
  readonly text: string;
  readonly status: PromptStatus;
  /** Place among the prompts of its session and origin, ascending; may be negative or a fraction. */
  readonly position: number;
  /** Why it waits, or why it was refused or dropped. */
  readonly reason: string | null;
  readonly error: string | null;
  readonly createdAt: string;
  readonly settledAt: string | null;
}

/** One entry of a transcript, identified by session and `id`. */
export interface MessageRow {
  readonly sessionId: string;
  readonly id: string;
  /** Order in the session, ascending. */
  readonly seq: number;
  readonly kind: string;
  readonly role: string | null;
  readonly payload: unknown;
  readonly createdAt: string;
}

/** A permission or a clarification that an agent asked for (S132). */
export interface PendingRequestRow {
  readonly id: string;
  readonly sessionId: string;
  readonly executionId: string;
  readonly kind: RequestKind;
  readonly title: string;
  readonly detail: unknown;
  readonly askedBy: string | null;
  readonly options: readonly { readonly id: string; readonly kind: string; readonly label: string }[];
  readonly schema: unknown;
  readonly createdAt: string;
  readonly resolvedAt: string | null;
  readonly outcome: unknown;
}

export interface UserRow {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
}

/** An access token; the secret itself is never stored. */
export interface TokenRow {
  readonly id: string;
  readonly userId: string;
  readonly label: string;
  readonly createdAt: string;
}

/** What a server reads at boot: every task that is not archived and what hangs on it, from one moment. */
export interface Board {
  readonly tasks: TaskRow[];
  readonly sessions: SessionRow[];
  /** Queued and reserved prompts, in the order of their queues. */
  readonly prompts: PromptRow[];
  readonly requests: PendingRequestRow[];
}
