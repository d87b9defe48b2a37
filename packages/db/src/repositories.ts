import type {
  ExecutionRow,
  MessageRow,
  PendingRequestRow,
  PromptOutcome,
  PromptRow,
  SessionRow,
  SessionState,
  TaskRow,
  TokenRow,
  TransitionRow,
  UserRow,
} from './rows.ts';

/** Some of the fields; an absent or undefined one stays as it is. */
export type Patch<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** A row to be made: the fields `K` may be left out. Times that are left out are now. */
type Draft<T, K extends keyof T> = Omit<T, K> & Patch<Pick<T, K>>;

export type NewTask = Draft<
  TaskRow,
  'description' | 'state' | 'position' | 'parentId' | 'dependsOn' | 'archivedAt' | 'createdAt' | 'updatedAt'
>;
export type TaskPatch = Patch<Omit<TaskRow, 'id' | 'createdAt'>>;

export interface TaskRepository {
  /** Without a position it goes to the end of the board. */
  create(task: NewTask): Promise<TaskRow>;
  get(id: string): Promise<TaskRow | null>;
  /** Ordered by position. `archived: true` lists only archived tasks, else only the others. */
  list(filter?: { readonly archived?: boolean | undefined }): Promise<TaskRow[]>;
  /** Null when there is no such task. `dependsOn` replaces the whole set. */
  update(id: string, patch: TaskPatch): Promise<TaskRow | null>;
  /** Takes its sessions and all they own with it; children stay, without a parent. False when there was no such task. */
  delete(id: string): Promise<boolean>;
}

export type NewSession = Draft<
  Omit<SessionRow, 'state' | 'executionId'>,
  'agentSessionId' | 'autoRun' | 'stopReason' | 'error' | 'createdAt' | 'updatedAt'
>;
/** Everything but the state, which only `transition` changes. */
export type SessionPatch = Patch<
  Pick<SessionRow, 'title' | 'cwd' | 'agentSessionId' | 'autoRun' | 'stopReason' | 'error' | 'updatedAt'>
>;

export interface Transition {
  /** The change applies only if the session is in one of these. */
  readonly from: readonly SessionState[];
  readonly to: SessionState;
  readonly cause: string;
  readonly at?: string | undefined;
  /** `executionId` is cleared by itself when `to` has none (S11). */
  readonly patch?: (SessionPatch & { readonly executionId?: string | null | undefined }) | undefined;
}

export type TransitionAnswer =
  | { readonly applied: true; readonly session: SessionRow }
  /** The state it is in instead; null when there is no such session. */
  | { readonly applied: false; readonly state: SessionState | null };

export interface SessionRepository {
  /** Made in state `created`. */
  create(session: NewSession): Promise<SessionRow>;
  get(id: string): Promise<SessionRow | null>;
  /** Oldest first. */
  list(filter?: { readonly taskId?: string | undefined }): Promise<SessionRow[]>;
  update(id: string, patch: SessionPatch): Promise<SessionRow | null>;
  /** Changes the state, expecting one of `from`; the audit row is written with it or not at all. */
  transition(id: string, change: Transition): Promise<TransitionAnswer>;
  /** Sessions that an earlier life left in a live state, of archived tasks too (S141). */
  interrupted(): Promise<SessionRow[]>;
  /** Newest first. */
  transitions(id: string, limit?: number): Promise<TransitionRow[]>;
  delete(id: string): Promise<boolean>;
}

export type NewExecution = Draft<
  Pick<ExecutionRow, 'id' | 'sessionId' | 'pid' | 'processStartTime' | 'startedAt'>,
  'pid' | 'processStartTime' | 'startedAt'
>;

export interface ExecutionRepository {
  /** Starting the same id again changes nothing and answers what is stored. */
  start(execution: NewExecution): Promise<ExecutionRow>;
  /** Names the process once it is known. */
  identify(
    id: string,
    process: { readonly pid: number; readonly processStartTime: string | null },
  ): Promise<ExecutionRow | null>;
  /** The first recorded end stays: a second call changes nothing and answers the first facts (S113). */
  end(
    id: string,
    end: { readonly cause: string; readonly detail?: string | null | undefined; readonly endedAt?: string | undefined },
  ): Promise<ExecutionRow | null>;
  get(id: string): Promise<ExecutionRow | null>;
  /** Oldest first. */
  list(sessionId: string): Promise<ExecutionRow[]>;
  /** Executions without an end: what an earlier life may have left running (S141). */
  open(): Promise<ExecutionRow[]>;
}

export type NewPrompt = Draft<
  Pick<PromptRow, 'id' | 'sessionId' | 'clientKey' | 'origin' | 'text' | 'position' | 'reason' | 'createdAt'>,
  'position' | 'reason' | 'createdAt'
> & {
  /** `reserved` for a prompt that is dispatched at once; `queued` by default. */
  readonly status?: 'queued' | 'reserved' | undefined;
};

/** `applied: false` gives the row as it is; null when there is no such prompt. */
export type PromptAnswer =
  | { readonly applied: true; readonly prompt: PromptRow }
  | { readonly applied: false; readonly prompt: PromptRow | null };

export type ReorderAnswer =
  | { readonly applied: true; readonly prompts: PromptRow[] }
  /** The order did not name exactly the queued prompts; these are they. */
  | { readonly applied: false; readonly reason: 'queue_changed'; readonly prompts: PromptRow[] };

/** The queue and the outcomes by client key, in one table. Order: human before wake-up, then position (S81). */
export interface PromptRepository {
  /** A known client key stores nothing and answers the prompt that has it (S80). */
  enqueue(prompt: NewPrompt): Promise<{ readonly prompt: PromptRow; readonly isNew: boolean }>;
  get(id: string): Promise<PromptRow | null>;
  findByKey(sessionId: string, clientKey: string): Promise<PromptRow | null>;
  /** The queued prompts in order; reserved ones are invisible (S82). */
  list(sessionId: string): Promise<PromptRow[]>;
  /** Queued prompts per session; a session without any is absent. */
  countQueued(): Promise<Map<string, number>>;
  /** Reserves the first queued prompt; null when none is queued. */
  reserveHead(sessionId: string): Promise<PromptRow | null>;
  /** Reserves this prompt if it is queued. */
  reserve(id: string, reason?: string | null): Promise<PromptAnswer>;
  /** Says of a reserved prompt why it would wait, should it come back to the queue. */
  note(id: string, reason: string): Promise<PromptAnswer>;
  /** Puts a reserved prompt back: at its own place (S82), or before all of its origin (S83). */
  restore(
    id: string,
    back: {
      readonly place: 'own' | 'head';
      readonly reason?: string | null | undefined;
      readonly error?: string | null | undefined;
    },
  ): Promise<PromptAnswer>;
  /**
   * Puts every reserved prompt of every session back at the head of its queue, for recovery (S141). A queue to which one
   * with the reason `parking` comes back does not run by itself any more.
   */
  restoreReserved(parking?: string | null): Promise<PromptRow[]>;
  /** Records the outcome of an open prompt; the first outcome stays. */
  settle(
    id: string,
    outcome: {
      readonly as: PromptOutcome;
      readonly reason?: string | null | undefined;
      readonly error?: string | null | undefined;
      readonly settledAt?: string | undefined;
    },
  ): Promise<PromptAnswer>;
  /** Takes an open prompt out as if it had never been stored: its sender was told that it was not. False: no such one. */
  withdraw(id: string): Promise<boolean>;
  /** Applies to queued prompts only, as do `remove`, `clear` and `reorder`. */
  edit(id: string, text: string): Promise<PromptAnswer>;
  /** Settles it as dropped, with reason `removed`. */
  remove(id: string): Promise<PromptAnswer>;
  /** Settles every queued prompt as dropped, with reason `cleared`, and answers them in order. */
  clear(sessionId: string): Promise<PromptRow[]>;
  /** `order` must name every queued prompt exactly once. */
  reorder(sessionId: string, order: readonly string[]): Promise<ReorderAnswer>;
}

export interface MessagePage {
  /** Oldest first. */
  readonly messages: MessageRow[];
  /** Where the page before this one ends; null when there is none. */
  readonly nextBefore: number | null;
}

export interface MessageRepository {
  /**
   * Upserts by (session, id): the newest of a batch wins, the first `createdAt` stays. Messages of sessions that are
   * gone are left out and counted, because what is written behind may arrive after a deletion.
   */
  write(batch: readonly MessageRow[]): Promise<{ readonly written: number; readonly dropped: number }>;
  /** The last `limit` messages (100 by default, at most 1000) with a `seq` below `before`. */
  page(
    sessionId: string,
    page?: { readonly before?: number | undefined; readonly limit?: number | undefined },
  ): Promise<MessagePage>;
  /** 0 when there are none. */
  lastSeq(sessionId: string): Promise<number>;
}

export type NewPendingRequest = Draft<
  Omit<PendingRequestRow, 'resolvedAt' | 'outcome'>,
  'detail' | 'askedBy' | 'options' | 'schema' | 'createdAt'
>;

export type RequestAnswer =
  | { readonly applied: true; readonly request: PendingRequestRow }
  | { readonly applied: false; readonly request: PendingRequestRow | null };

export interface RequestRepository {
  /** Opening the same id again changes nothing and answers what is stored. */
  open(request: NewPendingRequest): Promise<PendingRequestRow>;
  /** The first outcome stays. */
  resolve(id: string, outcome: unknown, resolvedAt?: string): Promise<RequestAnswer>;
  get(id: string): Promise<PendingRequestRow | null>;
  /** Oldest first. */
  listOpen(filter?: { readonly sessionId?: string | undefined }): Promise<PendingRequestRow[]>;
  /** Resolves all that are open, of one execution or of all, with one outcome; answers those it resolved. */
  resolveOpen(filter: { readonly executionId?: string | undefined }, outcome: unknown): Promise<PendingRequestRow[]>;
}

export interface SettingsRepository {
  all(): Promise<Record<string, unknown>>;
  /** Undefined when it was never set. */
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  remove(key: string): Promise<void>;
}

/** Persisted overrides of feature toggles (S71, S76). */
export interface FeatureRepository {
  overrides(): Promise<Record<string, boolean>>;
  set(key: string, value: boolean): Promise<void>;
  remove(key: string): Promise<void>;
}

export interface UserRepository {
  create(user: { readonly id: string; readonly name: string }): Promise<UserRow>;
  list(): Promise<UserRow[]>;
  /** Takes the user's tokens with it. */
  delete(id: string): Promise<boolean>;
  /** `hash` is a digest of the secret, made by the caller. */
  addToken(token: {
    readonly id: string;
    readonly userId: string;
    readonly label: string;
    readonly hash: string;
  }): Promise<TokenRow>;
  listTokens(userId: string): Promise<TokenRow[]>;
  findByTokenHash(hash: string): Promise<UserRow | null>;
  removeToken(id: string): Promise<boolean>;
}
