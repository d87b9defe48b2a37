import type { PromptOrigin } from '@vigil/liveness';
import type { Queue } from './types.ts';

/**
 * Why a prompt waits that was sent and neither taken nor refused before the server ended. Sending it again by itself
 * could have the agent do it twice (S56), so a person decides.
 */
export const DELIVERY_UNKNOWN = 'delivery_unknown';

/** A prompt that no provider has accepted yet. */
export interface QueuedPrompt {
  readonly messageId: string;
  readonly origin: PromptOrigin;
  readonly createdAt: string;
  text: string;
  position: number;
  /** Why it waits (S80). */
  reason: string | null;
  error: string | null;
  /**
   * `storing`: not durable yet. `held`: it waits, and is being changed, so that no drain takes it. `reserved`: on its way
   * to the agent, and invisible to edits (S82).
   */
  phase: 'storing' | 'waiting' | 'held' | 'reserved';
  /** A wake-up that was not waiting when the session was stopped: it is dropped once it would wait (S61). */
  stopped?: true;
}

/**
 * The backlog of one session: human before wake-up, each in order of its place (S81). A reserved prompt keeps its place,
 * so that a failed dispatch puts it back where it was (S82).
 */
export class PromptQueue {
  autoRun: boolean;
  /** The provider was busy: the backlog waits for evidence that it is idle (S83). */
  heldBack = false;
  /** How often an agent told that it is idle. */
  idleTold = 0;
  /** What waits is in memory; false for one of an archived task after a boot. */
  isRead = true;
  /** Prompts that may be stored although their senders were told that they are not; they are taken out again. */
  readonly withdrawn = new Set<string>();
  /** A drain is about to run. */
  drainDue = false;
  /** The prompt that an operator wants sent next, from wherever it stands, also while auto-run is off (S82). */
  urgent: string | null = null;
  readonly #prompts: QueuedPrompt[] = [];

  constructor(autoRun: boolean) {
    this.autoRun = autoRun;
  }

  /** How many wait, as the world sees it. */
  get length(): number {
    return this.waiting.length;
  }

  /** Wake-ups that do not wait yet, or not for now. */
  get comingWakeUps(): readonly QueuedPrompt[] {
    return this.#prompts.filter((one) => one.origin === 'wakeup' && one.phase !== 'waiting');
  }

  get waiting(): readonly QueuedPrompt[] {
    return this.#prompts.filter((one) => one.phase === 'waiting' || one.phase === 'held');
  }

  /** Something could yet run by itself; also what is not durable yet. */
  get hasBacklog(): boolean {
    return this.#prompts.some((one) => one.phase !== 'reserved');
  }

  /** The prompt on its way to the agent. */
  get reserved(): QueuedPrompt | undefined {
    return this.#prompts.find((one) => one.phase === 'reserved');
  }

  /** The first in order; none while it is being stored or changed: nothing overtakes it (S81). */
  get head(): QueuedPrompt | undefined {
    const first = this.#prompts.find((one) => one.phase !== 'reserved');
    return first?.phase === 'waiting' ? first : undefined;
  }

  /** What a drain sends now; what an operator wants sent next is waited for while it is changed. */
  get next(): QueuedPrompt | undefined {
    const urgent = this.urgent === null ? undefined : this.#prompts.find((one) => one.messageId === this.urgent);
    if (urgent !== undefined) return urgent.phase === 'waiting' ? urgent : undefined;
    return this.autoRun ? this.head : undefined;
  }

  find(messageId: string): QueuedPrompt | undefined {
    return this.#prompts.find((one) => one.messageId === messageId);
  }

  /** True when a new prompt of this origin would overtake one that waits (S81). */
  precedes(origin: PromptOrigin): boolean {
    return this.#prompts.some((one) => one.phase !== 'reserved' && rank(one.origin) <= rank(origin));
  }

  /** A place after all of its origin. */
  lastPlace(): number {
    return this.#prompts.reduce((last, one) => Math.max(last, one.position), 0) + 1;
  }

  /** A place before all of its origin. */
  firstPlace(): number {
    return this.#prompts.reduce((first, one) => Math.min(first, one.position), 1) - 1;
  }

  add(prompt: QueuedPrompt): void {
    this.#prompts.push(prompt);
    this.sort();
  }

  remove(prompt: QueuedPrompt): void {
    if (this.urgent === prompt.messageId) this.urgent = null;
    const at = this.#prompts.indexOf(prompt);
    if (at >= 0) this.#prompts.splice(at, 1);
  }

  sort(): void {
    this.#prompts.sort((a, b) => rank(a.origin) - rank(b.origin) || a.position - b.position);
  }

  show(): Queue {
    return {
      autoRun: this.autoRun,
      entries: this.waiting.map(({ messageId, text, origin, reason, error, createdAt }) => ({
        messageId,
        text,
        origin,
        reason,
        error,
        createdAt,
      })),
    };
  }
}

const rank = (origin: PromptOrigin): number => (origin === 'human' ? 0 : 1);
