import { Outbox, type Subscription } from '@vigil/liveness';
import type { ActivityEvent } from './types.ts';

/** A change as it is published; the frames that open a stream are not among them. */
export type PublishedEvent = Exclude<ActivityEvent, { type: 'snapshot' | 'resumed' }>;

const RING = 4_096;

const SESSION_TYPES = [
  'session.created',
  'session.activity_changed',
  'session.state_changed',
  'session.updated',
] as const;

const keyOf = (event: PublishedEvent): string =>
  `${event.type}:${'sessionId' in event ? event.sessionId : event.taskId}`;

/** Publications that a deletion makes void (S105). */
function supersededBy(event: PublishedEvent): string[] {
  if (event.type === 'session.deleted') return SESSION_TYPES.map((type) => `${type}:${event.sessionId}`);
  if (event.type === 'task.deleted') return [`task.created:${event.taskId}`, `task.updated:${event.taskId}`];
  return [];
}

/**
 * Publishes changes to whoever watches, and remembers the last ones so that a reader can resume. One seam for a later
 * cluster: what a subscriber sees is revisions of one epoch, in order.
 */
export class Feed {
  readonly #everything = new Outbox<PublishedEvent>();
  readonly #byTask = new Map<string, Outbox<PublishedEvent>>();
  readonly #limit: number;
  #ring: PublishedEvent[] = [];
  /** Changes up to this revision can no longer be resumed from the ring. */
  #floor = 0;
  #closed: string | null = null;

  constructor(limit = RING) {
    this.#limit = limit;
  }

  publish(event: PublishedEvent): void {
    this.#ring.push(event);
    if (this.#ring.length >= this.#limit * 2) {
      const dropped = this.#ring.length - this.#limit;
      this.#floor = this.#ring[dropped - 1]?.revision ?? this.#floor;
      this.#ring = this.#ring.slice(dropped);
    }
    const superseded = supersededBy(event);
    this.#everything.push(keyOf(event), event, superseded);
    this.#byTask.get(event.taskId)?.push(keyOf(event), event, superseded);
  }

  /** Nothing before this revision was published in this epoch that a reader could have missed. */
  startAt(revision: number): void {
    this.#floor = revision;
  }

  /** What was published after this revision; null when that is not known any more. */
  since(revision: number, taskId: string | undefined): readonly PublishedEvent[] | null {
    if (revision < this.#floor) return null;
    const first = this.#ring.findIndex((event) => event.revision > revision);
    if (first < 0) return [];
    const missed = this.#ring.slice(first);
    return taskId === undefined ? missed : missed.filter((event) => event.taskId === taskId);
  }

  subscribe(taskId: string | undefined, onReady: () => void): Subscription<PublishedEvent> {
    if (taskId === undefined) return this.#everything.subscribe(onReady);
    const outbox = this.#byTask.get(taskId) ?? new Outbox<PublishedEvent>();
    this.#byTask.set(taskId, outbox);
    const subscription = outbox.subscribe(onReady);
    return {
      get closed() {
        return subscription.closed;
      },
      pending: () => subscription.pending(),
      delivered: (key, event) => subscription.delivered(key, event),
      close: () => {
        subscription.close();
        if (outbox.size === 0 && this.#byTask.get(taskId) === outbox) this.#byTask.delete(taskId);
      },
    };
  }

  get subscribers(): number {
    return [...this.#byTask.values()].reduce((sum, outbox) => sum + outbox.size, this.#everything.size);
  }

  /** Tasks that somebody watches. */
  get watchedTasks(): number {
    return this.#byTask.size;
  }

  get closed(): string | null {
    return this.#closed;
  }

  close(reason: string): void {
    this.#closed = reason;
    this.#everything.close(reason);
    for (const outbox of this.#byTask.values()) outbox.close(reason);
    this.#byTask.clear();
  }
}
