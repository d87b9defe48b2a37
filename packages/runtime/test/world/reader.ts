import type {
  ActivityEvent,
  Message,
  Queue,
  RunningVigil,
  Session,
  SessionStreamEvent,
  Task,
} from '../../src/index.ts';
import { wrongInSession } from './readings.ts';
import type { World } from './world.ts';

/** Somebody who watches everything and folds it; a slow one takes an event only when the scheduler lets it. */
export class BoardReader {
  readonly sessions = new Map<string, Session>();
  readonly tasks = new Map<string, Task>();
  readonly #world: World;
  readonly #slow: boolean;
  readonly #gone = new Set<string>();
  readonly #last = new Map<string, number>();

  constructor(world: World, slow: boolean) {
    this.#world = world;
    this.#slow = slow;
    const { vigil, over } = world.life ?? {};
    if (vigil !== undefined && over !== undefined) void this.#read(vigil, over.signal);
  }

  async #read(vigil: RunningVigil, signal: AbortSignal): Promise<void> {
    try {
      for await (const { event } of vigil.watchActivity({ signal })) {
        if (signal.aborted) return;
        this.#take(event);
        if (this.#slow) await this.#world.scheduler.schedule(Promise.resolve(), 'a slow reader goes on');
      }
    } catch {
      // The server stops.
    }
  }

  #take(event: ActivityEvent): void {
    if (event.type === 'snapshot') {
      for (const session of event.sessions) this.#session(session);
      for (const task of event.tasks) this.tasks.set(task.id, task);
    } else if (event.type !== 'resumed') {
      const id = 'sessionId' in event ? event.sessionId : event.taskId;
      if (event.revision <= (this.#last.get(id) ?? 0))
        this.#world.fail('P4, P5', `${event.type} of ${id} is not newer`);
      if (this.#gone.has(id)) this.#world.fail('S101, S105', `${event.type} of ${id} follows its deletion`);
      this.#last.set(id, event.revision);
      this.#fold(event);
    }
  }

  #fold(event: Exclude<ActivityEvent, { type: 'snapshot' | 'resumed' }>): void {
    switch (event.type) {
      case 'task.deleted':
        this.#gone.add(event.taskId);
        this.tasks.delete(event.taskId);
        return;
      case 'session.deleted':
        this.#gone.add(event.sessionId);
        this.sessions.delete(event.sessionId);
        return;
      case 'task.created':
      case 'task.updated':
        this.tasks.set(event.taskId, event.task);
        return;
      default:
        this.#session(event.session);
    }
  }

  #session(session: Session): void {
    for (const wrong of wrongInSession(session)) this.#world.violations.push(wrong);
    const { state, foregroundActivity, liveness, policy, inputReason } = session;
    for (const what of [state, foregroundActivity, liveness, policy, inputReason])
      if (what !== null) this.#world.reached.add(what);
    if (session.awaitingFollowUp) this.#world.reached.add('a follow-up is expected');
    if (session.pendingRequests.length > 0) this.#world.reached.add('asked');
    this.sessions.set(session.id, session);
  }
}

/** Somebody who watches one session: its transcript, its queue and itself. */
export class SessionReader {
  readonly sessionId: string;
  readonly messages = new Map<string, Message>();
  session: Session | null = null;
  queue: Queue | null = null;
  over = false;
  readonly #world: World;
  readonly #leave = new AbortController();

  constructor(world: World, sessionId: string) {
    this.#world = world;
    this.sessionId = sessionId;
    world.life?.over.signal.addEventListener('abort', () => this.leave());
    void this.#read(world.vigil);
  }

  leave(): void {
    this.over = true;
    this.#leave.abort();
  }

  async #read(vigil: RunningVigil): Promise<void> {
    let last = 0;
    try {
      for await (const { id, event } of vigil.watchSession({ sessionId: this.sessionId, signal: this.#leave.signal })) {
        if (this.over) return;
        const revision = Number(id.split('.')[1]);
        if (revision <= last) this.#world.fail('P4', `${event.type} of ${this.sessionId} is not newer`);
        last = revision;
        this.#fold(event);
      }
    } catch {
      // The session was deleted, or the server stops, or the database does not give the transcript.
    }
    this.over = true;
  }

  #fold(event: SessionStreamEvent): void {
    if (event.type === 'snapshot') {
      for (const message of event.messages) this.messages.set(message.id, message);
      this.session = event.session;
      this.queue = event.queue;
    }
    if (event.type === 'session') this.session = event.session;
    if (event.type === 'queue') this.queue = event.queue;
    if (event.type === 'message') this.messages.set(event.message.id, event.message);
    if (event.type !== 'message.appended') return;
    const old = this.messages.get(event.messageId);
    if (old === undefined || !('text' in old) || old.text.length !== event.offset) {
      this.#world.fail('W5', `text of ${event.messageId} begins at ${event.offset}, which does not fit`);
    } else this.messages.set(old.id, { ...old, text: old.text + event.text } as Message);
  }
}
