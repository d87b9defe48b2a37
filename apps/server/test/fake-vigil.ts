import {
  type ActivityEvent,
  type EventStream,
  type Message,
  type Session,
  type SessionStreamEvent,
  type Task,
  type Vigil,
  VigilError,
} from '@vigil/runtime';
import { sampleSession, sampleTask } from './samples.ts';

type Change = Exclude<ActivityEvent, { type: 'snapshot' | 'resumed' }>;
type SessionChange = Exclude<SessionStreamEvent, { type: 'snapshot' | 'resumed' }>;

/** What outlives a server: rows. */
export class Rows {
  readonly tasks = new Map<string, Task>();
  readonly sessions = new Map<string, Session>();
  readonly messages = new Map<string, Message[]>();
  boots = 0;
}

/** One boot of an in-memory Vigil: epoch, revisions, ring, resume. Agents are left out. */
export class FakeVigil {
  readonly rows: Rows;
  readonly epoch: string;
  readonly changes: Change[] = [];
  /** Events that streams took, opening frames aside. */
  taken = 0;
  readonly sessionChanges: { readonly sessionId: string; readonly event: SessionChange }[] = [];
  #revision = 0;
  readonly #wakers = new Set<() => void>();

  constructor(rows: Rows) {
    this.rows = rows;
    rows.boots += 1;
    this.epoch = `boot-${rows.boots}`;
  }

  get revision(): number {
    return this.#revision;
  }

  get watchers(): number {
    return this.#wakers.size;
  }

  putTask(task: Task): Task {
    const type = this.rows.tasks.has(task.id) ? 'task.updated' : 'task.created';
    this.rows.tasks.set(task.id, task);
    this.#publish((revision) => ({ type, revision, taskId: task.id, task }));
    return task;
  }

  putSession(session: Session): Session {
    const type = this.rows.sessions.has(session.id) ? 'session.state_changed' : 'session.created';
    this.rows.sessions.set(session.id, session);
    const { taskId, id: sessionId, state, policy, foregroundActivity, activeSubagentCount } = session;
    const tuple = { taskId, sessionId, state, policy, foregroundActivity, activeSubagentCount };
    this.#publish((revision) => ({ type, revision, ...tuple, session }));
    this.publishToSession(sessionId, (revision) => ({ type: 'session', revision, session }));
    return session;
  }

  putMessage(sessionId: string, message: Message): void {
    const messages = this.rows.messages.get(sessionId) ?? [];
    this.rows.messages.set(sessionId, [...messages.filter(({ id }) => id !== message.id), message]);
    this.publishToSession(sessionId, (revision) => ({ type: 'message', revision, message }));
  }

  publishToSession(sessionId: string, make: (revision: number) => SessionChange): void {
    this.#revision += 1;
    this.sessionChanges.push({ sessionId, event: make(this.#revision) });
    this.#wake();
  }

  session(sessionId: string): Session {
    const session = this.rows.sessions.get(sessionId);
    if (session !== undefined) return session;
    throw new VigilError('not_found', `Expected the id of a session, got "${sessionId}". List them with task.get.`);
  }

  task(taskId: string): Task {
    const task = this.rows.tasks.get(taskId);
    if (task !== undefined) return task;
    throw new VigilError('not_found', `Expected the id of a task, got "${taskId}". List them with task.list.`);
  }

  /** Follows a log from an id of this epoch, else from a snapshot. */
  async *follow<E extends { revision: number }>(log: Log<E>): EventStream<E> {
    const { lastEventId, signal } = log.options;
    const prefix = `${this.epoch}.`;
    const resumes = lastEventId?.startsWith(prefix) ?? false;
    let at = resumes ? Number(lastEventId?.slice(prefix.length)) : this.#revision;
    const first = resumes ? log.resumed(at) : log.snapshot(at);
    yield { id: `${prefix}${at}`, event: first };
    while (!signal.aborted) {
      const next = log.after(at);
      for (const event of next) {
        at = event.revision;
        this.taken += 1;
        yield { id: `${prefix}${at}`, event };
      }
      if (next.length === 0) await this.#changeOr(signal);
    }
  }

  async #changeOr(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const wake = () => {
        this.#wakers.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#wakers.add(wake);
      signal.addEventListener('abort', wake);
    });
  }

  #publish(make: (revision: number) => Change): void {
    this.#revision += 1;
    this.changes.push(make(this.#revision));
    this.#wake();
  }

  #wake(): void {
    for (const wake of [...this.#wakers]) wake();
  }
}

interface Log<E> {
  readonly options: { readonly lastEventId?: string | undefined; readonly signal: AbortSignal };
  snapshot(revision: number): E;
  resumed(revision: number): E;
  after(revision: number): E[];
}

function notServed(): never {
  throw new VigilError('unavailable', 'The fake has no agents.');
}

/** The use cases over a fake. */
export function useCases(fake: FakeVigil): Vigil {
  const { epoch, rows } = fake;
  const tasks = () => [...rows.tasks.values()];
  const sessions = () => [...rows.sessions.values()];
  const outcome = <O extends string>(value: O) => Promise.resolve({ outcome: value });
  return {
    epoch,
    listTasks: async () => ({ epoch, revision: fake.revision, tasks: tasks() }),
    getTask: async (taskId) => ({
      epoch,
      revision: fake.revision,
      task: fake.task(taskId),
      sessions: sessions().filter((session) => session.taskId === taskId),
    }),
    createTask: async ({ title }) => fake.putTask(sampleTask({ id: `task-${rows.tasks.size + 1}`, title })),
    updateTask: async ({ taskId, title }) =>
      fake.putTask({ ...fake.task(taskId), ...(title === undefined ? {} : { title }) }),
    moveTask: async ({ taskId, state, position }) => fake.putTask({ ...fake.task(taskId), state, position }),
    archiveTask: async (taskId) => {
      fake.putTask({ ...fake.task(taskId), archivedAt: new Date(0).toISOString() });
      return { outcome: 'archived' };
    },
    unarchiveTask: async (taskId) => {
      fake.putTask({ ...fake.task(taskId), archivedAt: null });
      return { outcome: 'unarchived' };
    },
    deleteTask: async () => {
      throw new VigilError('conflict', 'An agent did not stop. Try again.', { reason: 'stop_failed' });
    },
    createSession: async ({ taskId, agentId }) =>
      fake.putSession(sampleSession({ id: `session-${rows.sessions.size + 1}`, taskId, agentId })),
    getSession: async (sessionId) => ({
      epoch,
      revision: fake.revision,
      session: fake.session(sessionId),
      messages: rows.messages.get(sessionId) ?? [],
      queue: { entries: [], autoRun: true },
    }),
    listMessages: async ({ sessionId, before }) => ({
      messages: (rows.messages.get(sessionId) ?? []).filter(({ seq }) => before === undefined || seq < before),
      nextBefore: null,
    }),
    submit: async ({ sessionId, clientKey }) => {
      fake.session(sessionId);
      return { outcome: 'dispatched', reason: null, messageId: clientKey, epoch, generation: 1 };
    },
    prompt: async () => {
      throw new VigilError('conflict', 'A prompt is in progress. Use session.submit to queue.', {
        reason: 'prompt_in_progress',
      });
    },
    cancel: () => outcome('nothing_to_cancel'),
    respond: () => outcome('answered'),
    teardown: async () => ({ outcome: 'unknown_execution', cause: null, endedAt: null, released: true }),
    deleteSession: () => outcome('deleted'),
    listQueue: async () => ({ entries: [], autoRun: true }),
    stopWorkload: notServed,
    stopAll: notServed,
    removeQueued: notServed,
    editQueued: notServed,
    reorderQueue: notServed,
    clearQueue: notServed,
    sendNow: notServed,
    overrideFeature: notServed,
    setAutoRun: async ({ on }) => ({ entries: [], autoRun: on }),
    activitySnapshot: () => snapshotOf(fake),
    watchActivity: ({ taskId, ...options }) =>
      fake.follow<ActivityEvent & { revision: number }>({
        options,
        snapshot: () => snapshotOf(fake),
        resumed: (revision) => ({ type: 'resumed', epoch, revision }),
        after: (revision) =>
          fake.changes.filter((event) => event.revision > revision && (taskId ?? event.taskId) === event.taskId),
      }),
    watchSession: ({ sessionId, ...options }) => {
      const session = fake.session(sessionId);
      return fake.follow<SessionStreamEvent>({
        options,
        snapshot: (revision) => ({
          type: 'snapshot',
          epoch,
          revision,
          session,
          messages: rows.messages.get(sessionId) ?? [],
          queue: { entries: [], autoRun: true },
        }),
        resumed: (revision) => ({ type: 'resumed', epoch, revision }),
        after: (revision) =>
          fake.sessionChanges
            .filter((change) => change.sessionId === sessionId && change.event.revision > revision)
            .map(({ event }) => event),
      });
    },
    listAgents: async () => {
      throw new Error('select secret from passwords');
    },
    listFeatures: () => [],
    getSettings: async () => ({ confirmArchive: true, automaticMoves: true }),
    updateSettings: async ({ confirmArchive = true, automaticMoves = true }) => ({ confirmArchive, automaticMoves }),
    serverInfo: async () => ({
      ...{ version: 'test', epoch, database: 'embedded', cluster: null },
      ...{ saving: true, notSaving: null },
    }),
    ready: async () => ({ ready: true, reason: null }),
  };
}

function snapshotOf(fake: FakeVigil) {
  return {
    type: 'snapshot' as const,
    epoch: fake.epoch,
    revision: fake.revision,
    tasks: [...fake.rows.tasks.values()].filter((task) => task.archivedAt === null),
    sessions: [...fake.rows.sessions.values()],
  };
}
