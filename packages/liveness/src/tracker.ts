import { admit } from './admission.ts';
import { sameActivity, Tally } from './aggregate.ts';
import { type Decision, deadlineOf, decide, isReleased } from './decide.ts';
import type { LivenessEvent } from './event.ts';
import type { Generation, Millis, SessionId, TaskId, Tick } from './ids.ts';
import type { SessionRecord } from './record.ts';
import type { Change, RefusalReason, SessionView, TaskActivity } from './view.ts';

export interface TrackerOptions {
  /** Told every change synchronously, in order of revision. Must not throw. */
  onChange(change: Change): void;
  /** Asked to feed `time.passed` to the session at this time; null: no longer. One request stands per session. */
  onDeadline(sessionId: SessionId, at: Millis | null): void;
  /** Told every event with its tick before it is decided; replaying them gives the same records. */
  journal?(event: LivenessEvent, tick: Tick): void;
}

export type ClaimEvent = Extract<LivenessEvent, { type: 'prompt.claimed' }>;

export type ClaimResult =
  | { readonly granted: true; readonly generation: Generation; readonly executionId: string; readonly starts: boolean }
  | { readonly granted: false; readonly reason: RefusalReason };

interface TaskEntry {
  readonly tally: Tally;
  told: TaskActivity | null;
  activityRevision: Tick;
}

/**
 * The thin shell of the core and its only mutable thing: the records, the one clock, the aggregates. Each `apply` ticks,
 * decides, stores, aggregates and tells; it neither awaits nor fails.
 */
export class Tracker {
  readonly #options: TrackerOptions;
  readonly #records = new Map<SessionId, SessionRecord>();
  readonly #tasks = new Map<TaskId, TaskEntry>();
  readonly #queue: LivenessEvent[] = [];
  #draining = false;
  #tick: Tick = 0;

  constructor(options: TrackerOptions) {
    this.#options = options;
  }

  /** The last revision that was given out. */
  get revision(): Tick {
    return this.#tick;
  }

  /** Takes the next revision for a change outside the core. */
  touch(): Tick {
    this.#tick += 1;
    return this.#tick;
  }

  /** Applies one event. An event applied from within `onChange` waits until the present one is told whole. */
  apply(event: LivenessEvent): void {
    if (this.#draining) {
      this.#queue.push(event);
      return;
    }
    this.#draining = true;
    try {
      this.#applyOne(event);
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) this.#applyOne(next);
    } finally {
      this.#draining = false;
    }
  }

  /** Check and claim in one step (S50). Must not be called from within `onChange`. */
  claim(event: ClaimEvent): ClaimResult {
    if (this.#draining) throw new Error('claim was called from within onChange; defer it until the change is told');
    const record = this.#records.get(event.sessionId);
    if (record === undefined) return { granted: false, reason: 'session_ended' };
    const admission = admit(record, event.origin);
    if (!admission.accepts) return { granted: false, reason: admission.reason };
    const generation = this.#tick + 1;
    this.apply(event);
    const executionId = this.#records.get(event.sessionId)?.executionId ?? event.executionId;
    return { granted: true, generation, executionId, starts: admission.starts };
  }

  /** True while the claim of this generation is still ours to dispatch or to accept (S53). */
  isCurrent(sessionId: SessionId, generation: Generation): boolean {
    return this.#records.get(sessionId)?.inFlight === generation;
  }

  /** The exposed reading of a session; undefined when it is not loaded. */
  view(sessionId: SessionId): SessionView | undefined {
    return this.#records.get(sessionId)?.view;
  }

  /** True when nothing of the session is at work any more (S111, S113). */
  isReleased(sessionId: SessionId): boolean {
    const record = this.#records.get(sessionId);
    return record === undefined || isReleased(record);
  }

  /** How many sessions and tasks are known (P7). */
  get size(): number {
    return this.#records.size + this.#tasks.size;
  }

  /** Makes a task known, with the sessions that will be loaded; until then its aggregate is unknown (S91). */
  loadTask(taskId: TaskId, sessionIds: Iterable<SessionId>): void {
    if (this.#tasks.has(taskId)) return;
    const expected = [...sessionIds];
    const tally = new Tally(expected);
    for (const sessionId of expected) tally.replace(null, this.#records.get(sessionId)?.view ?? null);
    this.#tasks.set(taskId, { tally, told: tally.activity, activityRevision: this.touch() });
  }

  /** Ends the task's stream: nothing is told of it any more (S105). */
  removeTask(taskId: TaskId): void {
    this.#tasks.delete(taskId);
  }

  /** The aggregate last told of a task; null while it is unknown, or the task is. */
  activityOf(taskId: TaskId): (TaskActivity & { readonly activityRevision: Tick }) | null {
    const entry = this.#tasks.get(taskId);
    return entry?.told == null ? null : { ...entry.told, activityRevision: entry.activityRevision };
  }

  #applyOne(event: LivenessEvent): void {
    const tick = this.touch();
    this.#options.journal?.(event, tick);
    const before = this.#records.get(event.sessionId) ?? null;
    const { record, transitions } = decide(before, event, tick);
    if (record === before) return;
    if (record === null) this.#records.delete(event.sessionId);
    else this.#records.set(event.sessionId, record);
    this.#watchTime(event.sessionId, before, record);
    const taskId = (record ?? before)?.taskId;
    if (before?.view !== record?.view) {
      this.#tasks.get(taskId ?? '')?.tally.replace(before?.view ?? null, record?.view ?? null);
    }
    this.#tellSession(before, { record, transitions }, tick);
    this.#tellTask(taskId);
  }

  #tellSession(before: SessionRecord | null, { record, transitions }: Decision, tick: Tick): void {
    if (record === null) {
      if (before === null) return;
      const { sessionId, taskId } = before;
      this.#options.onChange({ type: 'session.deleted', revision: tick, sessionId, taskId });
      return;
    }
    for (const [index, type] of transitions.entries()) {
      this.#options.onChange({ type, revision: index === 0 ? tick : this.touch(), view: record.view });
    }
  }

  #watchTime(sessionId: SessionId, before: SessionRecord | null, after: SessionRecord | null): void {
    const was = before === null ? null : deadlineOf(before);
    const is = after === null ? null : deadlineOf(after);
    if (was !== is) this.#options.onDeadline(sessionId, is);
  }

  /** A task is told when its aggregate changes, count-only changes included (S93); an unknown one is not (S91). */
  #tellTask(taskId: TaskId | undefined): void {
    const entry = taskId === undefined ? undefined : this.#tasks.get(taskId);
    if (taskId === undefined || entry === undefined) return;
    const { activity } = entry.tally;
    if (activity === null || sameActivity(entry.told, activity)) return;
    entry.told = activity;
    entry.activityRevision = this.touch();
    const { activityRevision } = entry;
    this.#options.onChange({ type: 'task.updated', revision: activityRevision, taskId, activity, activityRevision });
  }
}
