import { type Change, type SessionView, Tracker } from '@vigil/liveness';
import { composeSession, composeTask, type SessionEntry, type TaskEntry } from './entries.ts';
import { VigilError } from './errors.ts';
import type { Feed, PublishedEvent } from './feed.ts';
import type { Session, Snapshot } from './types.ts';

type SessionEventType = Extract<PublishedEvent, { session: Session }>['type'];

/** Told each change of a public session, after it was published. Must not throw and must not claim. */
export type SessionListener = (entry: SessionEntry, before: Session, after: Session) => void;

export interface BoardOptions {
  readonly feed: Feed;
  readonly now: () => number;
  readonly onDeadline: (sessionId: string, at: number | null) => void;
}

/**
 * The public picture: for each task and session its facets and its present reading, composed in the step of the change
 * and published from here only. Each change costs what it touches, not what is there.
 */
export class Board {
  readonly tasks = new Map<string, TaskEntry>();
  readonly sessions = new Map<string, SessionEntry>();
  readonly tracker: Tracker;
  readonly #options: BoardOptions;
  readonly #listeners: SessionListener[] = [];

  constructor(options: BoardOptions) {
    this.#options = options;
    this.tracker = new Tracker({ onChange: (change) => this.#take(change), onDeadline: options.onDeadline });
  }

  listen(listener: SessionListener): void {
    this.#listeners.push(listener);
  }

  /** The entry, or `not_found`. */
  session(sessionId: string): SessionEntry {
    const entry = this.sessions.get(sessionId);
    if (entry === undefined)
      throw new VigilError('not_found', `There is no session ${sessionId}. List the task's sessions.`);
    return entry;
  }

  task(taskId: string): TaskEntry {
    const entry = this.tasks.get(taskId);
    if (entry === undefined) throw new VigilError('not_found', `There is no task ${taskId}. List the tasks.`);
    return entry;
  }

  /** Publishes a change of the session outside the core (title, queue, requests). */
  touchSession(entry: SessionEntry): void {
    const view = this.tracker.view(entry.id);
    if (view !== undefined) this.#showSession(entry, view, { type: 'session.updated', revision: this.tracker.touch() });
  }

  /** Like `touchSession`; the queue itself changed. A revision of its own: a reader may leave between the two (P4). */
  touchQueue(entry: SessionEntry): void {
    this.touchSession(entry);
    entry.queueRevision = this.tracker.touch();
    entry.audience.push('queue', { revision: entry.queueRevision });
  }

  /** Composes a session that was loaded in parts, and counts it; nobody watches yet. */
  reload(entry: SessionEntry): void {
    const view = this.tracker.view(entry.id);
    const task = this.tasks.get(entry.taskId);
    if (view === undefined) return;
    entry.shown = composeSession(entry, view);
    if (task !== undefined) this.count(task, null, entry.shown);
  }

  /** Publishes a change of the task outside the aggregate. */
  touchTask(entry: TaskEntry, type: 'task.created' | 'task.updated' = 'task.updated'): void {
    this.#showTask(entry, { type, revision: this.tracker.touch() });
  }

  /** Ends the task's stream (S105). Its sessions are gone before. */
  removeTask(entry: TaskEntry): void {
    this.tasks.delete(entry.id);
    this.tracker.removeTask(entry.id);
    this.#options.feed.publish({ type: 'task.deleted', revision: this.tracker.touch(), taskId: entry.id });
  }

  /** Every task that is not archived, or the one asked for, with its sessions, as of this moment. */
  snapshot(epoch: string, taskId?: string): Snapshot {
    const one = taskId === undefined ? undefined : this.tasks.get(taskId);
    const tasks =
      taskId === undefined ? [...this.tasks.values()].filter((task) => task.archivedAt === null) : one ? [one] : [];
    const sessions = tasks.flatMap((task) => this.sessionsOf(task).map((session) => session.shown));
    return {
      type: 'snapshot',
      epoch,
      revision: this.tracker.revision,
      tasks: tasks.map((task) => task.shown),
      sessions,
    };
  }

  sessionsOf(task: TaskEntry): SessionEntry[] {
    return [...task.sessionIds].flatMap((id) => this.sessions.get(id) ?? []);
  }

  #take(change: Change): void {
    if (change.type === 'session.deleted') {
      this.#dropSession(change);
      return;
    }
    if (change.type === 'task.updated') {
      const task = this.tasks.get(change.taskId);
      if (task !== undefined) this.#showTask(task, change);
      return;
    }
    const entry = this.sessions.get(change.view.sessionId);
    if (entry !== undefined) this.#showSession(entry, change.view, change);
  }

  #dropSession(change: Extract<Change, { type: 'session.deleted' }>): void {
    const { revision, sessionId, taskId } = change;
    const entry = this.sessions.get(sessionId);
    if (entry === undefined) return;
    this.sessions.delete(sessionId);
    const { state, policy } = entry.shown;
    const last = { taskId, sessionId, state, policy, foregroundActivity: null, activeSubagentCount: 0 };
    this.#options.feed.publish({ type: 'session.deleted', revision, ...last });
    entry.audience.close('the session was deleted');
    const task = this.tasks.get(taskId);
    if (task === undefined) return;
    task.sessionIds.delete(sessionId);
    this.count(task, entry.shown, null);
    this.touchTask(task);
  }

  #showSession(entry: SessionEntry, view: SessionView, change: { type: SessionEventType; revision: number }): void {
    const before = entry.shown;
    this.#stamp(entry, before, view);
    const after = composeSession(entry, view);
    entry.shown = after;
    entry.revision = change.revision;
    this.#options.feed.publish(sessionEvent(change, after));
    entry.audience.push('session', { revision: change.revision });
    this.#sum(entry.taskId, before, after);
    // Last, so that what a listener changes has a later revision and is published later.
    for (const listener of this.#listeners) listener(entry, before, after);
  }

  #stamp(entry: SessionEntry, before: Session, view: SessionView): void {
    const now = new Date(this.#options.now()).toISOString();
    const working = view.state === 'starting' || view.state === 'running';
    if (!working) entry.turnStartedAt = null;
    else if (before.generation !== view.generation || entry.turnStartedAt === null) entry.turnStartedAt = now;
    if (before.state !== view.state) entry.updatedAt = now;
  }

  #showTask(task: TaskEntry, change: { type: 'task.created' | 'task.updated'; revision: number }): void {
    // While the aggregate is unknown the last delivered value is kept (S91).
    task.shown = composeTask(task, this.tracker.activityOf(task.id) ?? task.shown);
    this.#options.feed.publish({ type: change.type, revision: change.revision, taskId: task.id, task: task.shown });
  }

  /** Keeps the task's sums by difference; publishes it when they show. */
  #sum(taskId: string, before: Session, after: Session): void {
    const task = this.tasks.get(taskId);
    if (task === undefined || !this.count(task, before, after)) return;
    const { shown } = task;
    const same =
      shown.queuedPromptCount === task.queued &&
      shown.pendingPermission === task.permissions > 0 &&
      shown.pendingClarification === task.clarifications > 0;
    if (!same) this.touchTask(task);
  }

  /** Takes a session's part out of the task's sums and puts another in; tells whether that changed anything. */
  count(task: TaskEntry, before: Session | null, after: Session | null): boolean {
    const parts = [part(before), part(after)] as const;
    const [was, is] = parts;
    task.permissions += is.permission - was.permission;
    task.clarifications += is.clarification - was.clarification;
    task.queued += is.queued - was.queued;
    return is.permission !== was.permission || is.clarification !== was.clarification || is.queued !== was.queued;
  }
}

function part(session: Session | null): { permission: number; clarification: number; queued: number } {
  const asks = (kind: string) => (session?.pendingRequests.some((one) => one.kind === kind) ? 1 : 0);
  return {
    permission: asks('permission'),
    clarification: asks('clarification'),
    queued: session?.queuedPromptCount ?? 0,
  };
}

function sessionEvent(change: { type: SessionEventType; revision: number }, session: Session): PublishedEvent {
  const { taskId, state, policy, foregroundActivity, activeSubagentCount } = session;
  return {
    type: change.type,
    revision: change.revision,
    taskId,
    sessionId: session.id,
    state,
    policy,
    foregroundActivity,
    activeSubagentCount,
    session,
  };
}
