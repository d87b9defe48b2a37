import type { AgentConnection } from '@vigil/acp';
import { type Database, DatabaseError, type NewSession, type PromptRow } from '@vigil/db';
import type { EndCause } from '@vigil/liveness';
import { isOutage, isRefusal, outageOf } from './database-words.ts';
import type { Log } from './deps.ts';
import type { OpenRequest, SessionEntry, TaskEntry } from './entries.ts';
import type { EndFacts, Execution } from './execution.ts';
import { rowOf } from './message-row.ts';
import { inTime, promised } from './promised.ts';
import { DELIVERY_UNKNOWN, type QueuedPrompt } from './prompt-queue.ts';
import { outcomeOf } from './prompt-row.ts';
import { facetsOf } from './task-facets.ts';
import type { Message, Session, SubmitResult } from './types.ts';
import { WriteBehind } from './write-behind.ts';

interface Written {
  readonly run: () => Promise<unknown>;
  tries: number;
  done: boolean;
}

type Told = Pick<PromptRow, 'status' | 'reason'>;

type Storing = { clientKey: string | null } & ({ status: 'queued' } | { status: 'reserved'; sends: boolean });

/** Tries of a write that the database refuses although it answers. */
const TRIES = 3;
const LIMIT = 50_000;
const NOTED_WITHIN_MS = 1_000;
/** At most ten writes of streamed text a second. */
const MESSAGES_EVERY_MS = 100;

/**
 * What is kept, and how surely: what a caller is promised is awaited; what follows the in-memory truth is written behind
 * it, in order and retried, and never makes it wait (S11, S142).
 */
export class Records {
  readonly #database: Database;
  readonly #log: Log;
  readonly #behind: WriteBehind<Written>;
  readonly #messages: WriteBehind<{ sessionId: string; message: Message }>;
  /** Prompts whose rows say that they are being sent. */
  readonly #sending = new WeakSet<QueuedPrompt>();
  /** What became of prompts whose rows do not say so yet, by message. */
  readonly #unwritten = new Map<string, Told>();
  #transitions = 0;

  constructor(database: Database, log: Log) {
    this.#database = database;
    this.#log = log;
    this.#behind = new WriteBehind({
      name: 'records',
      write: (batch) => this.#runAll(batch),
      intervalMs: 0,
      limit: LIMIT,
      log,
    });
    this.#messages = new WriteBehind({
      name: 'transcripts',
      write: (batch) => this.#writeMessages(batch.map(([, one]) => one)),
      intervalMs: MESSAGES_EVERY_MS,
      limit: LIMIT,
      log,
    });
  }

  /** Why what is kept lags behind what is; null when it does not. */
  get trouble(): string | null {
    return this.#behind.trouble ?? this.#messages.trouble;
  }

  /** Writes that are not stored yet. */
  get waiting(): number {
    return this.#behind.keys.length + this.#messages.keys.length;
  }

  /** Messages of this session are not stored yet. */
  isWriting(sessionId: string): boolean {
    return this.#messages.keys.some((key) => key.startsWith(`${sessionId}/`));
  }

  async flush(): Promise<void> {
    await Promise.all([this.#behind.flush(), this.#messages.flush()]);
  }

  // Awaited: what a caller is promised.

  async addSession(session: NewSession): Promise<void> {
    await promised(this.#database.sessions.create(session));
  }

  async deleteSession(sessionId: string): Promise<void> {
    await promised(this.#database.sessions.delete(sessionId));
  }

  /** Rejects also where the key names an earlier one, whose storing was given up and came late: it is undone (S80). */
  async addPrompt(entry: SessionEntry, prompt: QueuedPrompt, how: Storing): Promise<void> {
    const { messageId: id, text, origin, position, createdAt } = prompt;
    const reason = how.status === 'reserved' ? this.#reasonOf(prompt, how.sends) : prompt.reason;
    const row = { id, sessionId: entry.id, text, origin, position, reason, createdAt, status: how.status };
    const added = this.#database.prompts.enqueue({ ...row, clientKey: how.clientKey ?? id });
    const { prompt: stored } = await promised(added);
    if (stored.id !== id)
      throw new DatabaseError('already_exists', 'An earlier submission of this key is being undone.');
  }

  /** Anything else that waits its turn among the writes. */
  behind(key: string, run: () => Promise<unknown>): void {
    this.#put(key, run);
  }

  /**
   * After every earlier write of this prompt. `sends`: the agent is there, so it is sent at once. False when it does not
   * wait any more.
   */
  async reserve(prompt: QueuedPrompt, sends: boolean): Promise<boolean> {
    await this.promptSettled(prompt);
    const answer = await promised(this.#database.prompts.reserve(prompt.messageId, this.#reasonOf(prompt, sends)));
    return answer.applied || answer.prompt?.status === 'reserved';
  }

  /** It is about to be sent, and its row says so; a database that does not answer is not waited for long. */
  async sending(prompt: QueuedPrompt): Promise<void> {
    if (this.#sending.has(prompt)) return;
    const noted = this.#database.prompts.note(prompt.messageId, DELIVERY_UNKNOWN);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, NOTED_WITHIN_MS).unref();
    });
    const either = Promise.race([noted, late]).finally(() => clearTimeout(timer));
    await either.catch((error: unknown) => {
      this.#log.warn({ err: error, messageId: prompt.messageId }, 'could not note that a prompt is sent');
    });
  }

  /** Resolves when nothing of this prompt is on its way to the database; rejects when that takes too long. */
  promptSettled(prompt: QueuedPrompt): Promise<void> {
    return inTime(this.#behind.settled(`prompt:${prompt.messageId}`));
  }

  /** What became of a submission that was taken earlier (S80), also where its row does not say so yet. */
  async outcomeByKey(sessionId: string, clientKey: string): Promise<Omit<SubmitResult, 'epoch'> | null> {
    const row = await inTime(this.#database.prompts.findByKey(sessionId, clientKey));
    return row === null ? null : outcomeOf({ ...row, ...this.#unwritten.get(row.id) });
  }

  async endFacts(sessionId: string, executionId: string): Promise<EndFacts | null> {
    await inTime(this.#behind.settled(endKey(executionId)));
    const row = await inTime(this.#database.executions.get(executionId));
    if (row === null || row.sessionId !== sessionId || row.cause === null || row.endedAt === null) return null;
    return { cause: row.cause as EndCause, endedAt: row.endedAt, error: row.causeDetail };
  }

  /** Null when the database answers, otherwise why not. */
  unreachable(): Promise<string | null> {
    return this.#database.ping().then(() => null, outageOf);
  }

  // Behind: what follows the in-memory truth.

  taskChanged(task: TaskEntry): void {
    this.#put(`task:${task.id}`, () => {
      const { id, createdAt: _createdAt, ...fields } = facetsOf(task);
      return this.#database.tasks.update(id, { ...fields, dependsOn: [...fields.dependsOn] });
    });
  }

  /** Title, auto-run, the agent's own id of the conversation: as they are when written. */
  sessionChanged(entry: SessionEntry): void {
    this.#put(`session:${entry.id}`, () => {
      const { title, agentSessionId, updatedAt } = entry;
      return this.#database.sessions.update(entry.id, {
        title,
        agentSessionId,
        updatedAt,
        autoRun: entry.queue.autoRun,
      });
    });
  }

  /** The coarse state follows the record: each change in order, nothing else writes it (S11). */
  stateChanged(before: Session, after: Session, cause: string): void {
    const { id, stopReason, error, executionId, updatedAt } = after;
    if (before.state === after.state) {
      this.#put(`detail:${id}`, () => this.#database.sessions.update(id, { stopReason, error }));
      return;
    }
    this.#transitions += 1;
    const change = { to: after.state, cause, at: updatedAt, patch: { stopReason, error, executionId, updatedAt } };
    this.#put(`state:${id}:${this.#transitions}`, async () => {
      const answer = await this.#database.sessions.transition(id, { ...change, from: [before.state] });
      // A write in between was given up: the record is right.
      if (!answer.applied && answer.state !== null && answer.state !== after.state) {
        this.#log.warn(
          { sessionId: id, stored: answer.state, expected: before.state },
          'the stored state had fallen behind',
        );
        await this.#database.sessions.transition(id, { ...change, from: [answer.state] });
      }
    });
  }

  promptAccepted(prompt: QueuedPrompt): void {
    const is = { status: 'delivered', reason: null } as const;
    this.#promptBehind(prompt, is, () =>
      this.#database.prompts.settle(prompt.messageId, { as: is.status, reason: null }),
    );
  }

  promptDropped(prompt: QueuedPrompt, reason: string): void {
    const is = { status: 'dropped', reason } as const;
    this.#promptBehind(prompt, is, () => this.#database.prompts.settle(prompt.messageId, { as: is.status, reason }));
  }

  promptReturned(prompt: QueuedPrompt): void {
    const { reason, error } = prompt;
    this.#sending.delete(prompt);
    const back = { place: 'own', reason, error } as const;
    const is = { status: 'queued', reason } as const;
    this.#promptBehind(prompt, is, () => this.#database.prompts.restore(prompt.messageId, back));
  }

  executionStarted(execution: Execution, at: number): void {
    const row = { id: execution.id, sessionId: execution.entry.id, startedAt: new Date(at).toISOString() };
    this.#put(`execution:${row.id}:started`, () => this.#database.executions.start(row));
  }

  executionOpened(execution: Execution, connection: AgentConnection): void {
    const { pid, processStartTime } = connection;
    this.#put(`execution:${execution.id}:opened`, () =>
      this.#database.executions.identify(execution.id, { pid, processStartTime }),
    );
    this.sessionChanged(execution.entry);
  }

  executionEnded(executionId: string, facts: EndFacts): void {
    const { cause, endedAt, error: detail } = facts;
    this.#put(endKey(executionId), () => this.#database.executions.end(executionId, { cause, endedAt, detail }));
  }

  requestOpened(entry: SessionEntry, request: OpenRequest): void {
    const { agentRequestId: _agentRequestId, background: _background, ...row } = request;
    this.#put(`request:${row.id}:opened`, () => this.#database.requests.open({ ...row, sessionId: entry.id }));
  }

  requestClosed(id: string, outcome: unknown): void {
    this.#put(`request:${id}:closed`, () => this.#database.requests.resolve(id, outcome));
  }

  message(sessionId: string, message: Message): void {
    this.#messages.put(`${sessionId}/${message.id}`, { sessionId, message });
  }

  /** What a row says from before a prompt is sent until the agent has taken it, should this server not live to see it. */
  #reasonOf(prompt: QueuedPrompt, sends: boolean): string | null {
    if (sends) this.#sending.add(prompt);
    return sends ? DELIVERY_UNKNOWN : null;
  }

  #promptBehind({ messageId }: QueuedPrompt, is: Told, run: () => Promise<unknown>): void {
    this.#unwritten.set(messageId, is);
    this.#put(`prompt:${messageId}`, async () => {
      await run();
      if (this.#unwritten.get(messageId) === is) this.#unwritten.delete(messageId);
    });
  }

  #put(key: string, run: () => Promise<unknown>): void {
    this.#behind.put(key, { run, tries: 0, done: false });
  }

  async #runAll(batch: readonly (readonly [string, Written])[]): Promise<void> {
    for (const [key, written] of batch) {
      // A batch that is tried again begins where it failed.
      if (written.done) continue;
      await this.#runOne(key, written);
      written.done = true;
    }
  }

  /** A write that is refused while the database answers would stand before all others for ever: it is given up. */
  async #runOne(key: string, written: Written): Promise<void> {
    try {
      await written.run();
    } catch (error) {
      if (isOutage(error)) throw error;
      written.tries += 1;
      if (!isRefusal(error) && (written.tries < TRIES || (await this.unreachable()) !== null)) throw error;
      this.#log.error({ err: error, key }, 'the database refuses a write, which is given up');
    }
  }

  async #writeMessages(messages: readonly { sessionId: string; message: Message }[]): Promise<void> {
    const { dropped } = await this.#database.messages.write(messages.map((one) => rowOf(one.sessionId, one.message)));
    if (dropped > 0) this.#log.debug({ dropped }, 'messages of sessions that are gone were left out');
  }
}

const endKey = (executionId: string): string => `execution:${executionId}:ended`;
