import type {
  ActivityEvent,
  AgentInfo,
  FeatureInfo,
  Message,
  PromptOrigin,
  Queue,
  ServerInfo,
  Session,
  SessionStreamEvent,
  Settings,
  Snapshot,
  SubmitResult,
  Task,
  TaskState,
  TeardownResult,
} from './types.ts';

/** A stream of events with the id to resume from. Ends by throwing when the server stops, so that clients come back. */
export type EventStream<E> = AsyncIterable<{ readonly id: string; readonly event: E }>;

export interface WatchOptions {
  readonly lastEventId?: string | undefined;
  readonly signal: AbortSignal;
}

/** Every use case, as the API sees it. Expected failures are `VigilError`s with a code (see errors.ts). */
export interface Vigil {
  readonly epoch: string;

  listTasks(input: { archived?: boolean | undefined }): Promise<{ epoch: string; revision: number; tasks: Task[] }>;
  getTask(taskId: string): Promise<{ epoch: string; revision: number; task: Task; sessions: Session[] }>;
  createTask(input: {
    title: string;
    description?: string | undefined;
    parentId?: string | null | undefined;
    dependsOn?: string[] | undefined;
  }): Promise<Task>;
  updateTask(input: {
    taskId: string;
    title?: string | undefined;
    description?: string | undefined;
    parentId?: string | null | undefined;
    dependsOn?: string[] | undefined;
  }): Promise<Task>;
  moveTask(input: { taskId: string; state: TaskState; position: number }): Promise<Task>;
  archiveTask(taskId: string): Promise<{ outcome: 'archived' }>;
  unarchiveTask(taskId: string): Promise<{ outcome: 'unarchived' }>;
  /** Stops every session first (S114); refuses with `stop_failed` and loses nothing. */
  deleteTask(taskId: string): Promise<{ outcome: 'deleted' }>;

  createSession(input: {
    taskId: string;
    agentId: string;
    cwd?: string | undefined;
    title?: string | undefined;
  }): Promise<Session>;
  getSession(
    sessionId: string,
  ): Promise<{ epoch: string; revision: number; session: Session; messages: Message[]; queue: Queue }>;
  listMessages(input: {
    sessionId: string;
    before?: number | undefined;
    limit?: number | undefined;
  }): Promise<{ messages: Message[]; nextBefore: number | null }>;
  submit(input: {
    sessionId: string;
    text: string;
    clientKey: string;
    origin?: PromptOrigin | undefined;
  }): Promise<SubmitResult>;
  /** The strict form: dispatches and waits for acceptance, or fails with `conflict` and a reason. */
  prompt(input: { sessionId: string; text: string; origin?: PromptOrigin | undefined }): Promise<SubmitResult>;
  cancel(input: {
    sessionId: string;
    generation?: number | undefined;
  }): Promise<{ outcome: 'cancelling' | 'nothing_to_cancel' }>;
  respond(input: {
    sessionId: string;
    requestId: string;
    outcome: { optionId: string } | { answers: Record<string, unknown> } | { cancelled: true };
  }): Promise<{ outcome: 'answered' }>;
  /** Stops one item of background work, where the provider can. */
  stopWorkload(input: { sessionId: string; workloadId: string }): Promise<{ stopped: boolean; reason: string | null }>;
  /** Ends everything that runs for the session and parks its backlog. */
  stopAll(sessionId: string): Promise<Session>;
  teardown(input: {
    sessionId: string;
    executionId: string;
    cause?: 'stopped' | 'completed' | 'cancelled' | 'failed' | undefined;
  }): Promise<TeardownResult>;
  deleteSession(sessionId: string): Promise<{ outcome: 'deleted' }>;

  listQueue(sessionId: string): Promise<Queue>;
  removeQueued(input: { sessionId: string; messageId: string }): Promise<Queue>;
  editQueued(input: { sessionId: string; messageId: string; text: string }): Promise<Queue>;
  /** Those not named follow as they were; human prompts stay before wake-ups. */
  reorderQueue(input: { sessionId: string; order: string[] }): Promise<Queue>;
  clearQueue(sessionId: string): Promise<Queue>;
  /** Puts a prompt first and lets the queue run. */
  sendNow(input: { sessionId: string; messageId: string; generation?: number | undefined }): Promise<Queue>;
  setAutoRun(input: { sessionId: string; on: boolean }): Promise<Queue>;

  activitySnapshot(): Snapshot;
  watchActivity(options: WatchOptions & { taskId?: string | undefined }): EventStream<ActivityEvent>;
  watchSession(options: WatchOptions & { sessionId: string }): EventStream<SessionStreamEvent>;

  listAgents(): Promise<AgentInfo[]>;
  listFeatures(): FeatureInfo[];
  /** Stores an override, or takes it back with null; it applies after a restart. */
  overrideFeature(input: { key: string; on: boolean | null }): Promise<FeatureInfo[]>;
  getSettings(): Promise<Settings>;
  /** Changes what is named; answers all of them. */
  updateSettings(changes: { [Key in keyof Settings]?: Settings[Key] | undefined }): Promise<Settings>;
  serverInfo(): Promise<ServerInfo>;
  /** Database and runtime are able to serve. */
  ready(): Promise<{ ready: boolean; reason: string | null }>;
}
