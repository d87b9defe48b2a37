import { attest, type WorkNames } from '../src/attestation.ts';
import type { LivenessEvent } from '../src/event.ts';
import type { Fact } from '../src/fact.ts';
import { Tracker } from '../src/tracker.ts';
import type { Traits } from '../src/traits.ts';

const RULES = { fine: false, reported: true, settleAfterMs: 2000 };
const TRAITS: Traits = {
  reports: true,
  handoff: false,
  wakes: true,
  agentCycles: true,
  levels: 1,
  rpc: 'held',
  begins: 'written',
  cancelKills: [],
};

/** How a story reaches the core; a bench may put a clock around it. */
export type Apply = (event: LivenessEvent) => void;

/** A tracker that nobody listens to. */
export const quiet = (): Tracker => new Tracker({ onChange: () => undefined, onDeadline: () => undefined });

/** What happens to sessions of one task, told to the tracker event by event. */
export class Story {
  readonly tracker: Tracker;
  readonly #apply: Apply;
  #at = 0;

  constructor(tracker: Tracker, apply: Apply = (event) => tracker.apply(event)) {
    this.tracker = tracker;
    this.#apply = apply;
  }

  load(sessionId: string): void {
    this.#apply({
      type: 'session.loaded',
      sessionId,
      at: this.#tick(),
      taskId: 't',
      rules: RULES,
      state: 'created',
      stopReason: null,
      error: null,
      unknown: false,
      created: true,
    });
  }

  /** One prompt to its end. Answers how many events that was. */
  prompt(sessionId: string): number {
    const claim = this.tracker.claim({
      type: 'prompt.claimed',
      sessionId,
      at: this.#tick(),
      origin: 'human',
      executionId: `e-${sessionId}`,
    });
    if (!claim.granted) throw new Error(`expected ${sessionId} to accept a prompt, it refused: ${claim.reason}`);
    const { generation, executionId, starts } = claim;
    if (starts) this.#apply({ type: 'execution.opened', sessionId, at: this.#tick(), executionId, traits: TRAITS });
    this.#apply({ type: 'prompt.dispatched', sessionId, at: this.#tick(), generation });
    this.frame(sessionId, { kind: 'prompt.accepted', generation });
    this.frame(sessionId, { kind: 'rpc.settled', generation, stopReason: 'end_turn' });
    return starts ? 5 : 4;
  }

  frame(sessionId: string, fact: Fact): void {
    const [at, executionId] = [this.#tick(), `e-${sessionId}`];
    this.#apply({ type: 'frame.received', sessionId, at, executionId, facts: [fact] });
  }

  starts(sessionId: string, names: WorkNames): void {
    const attestation = attest({ what: 'started', names, kind: 'subagent', detached: true });
    this.frame(sessionId, { kind: 'attested', attestation });
  }

  ends(sessionId: string, names: WorkNames): void {
    this.frame(sessionId, { kind: 'attested', attestation: attest({ what: 'ended', names }) });
  }

  stop(sessionId: string): void {
    const executionId = `e-${sessionId}`;
    this.#apply({ type: 'execution.ended', sessionId, at: this.#tick(), executionId, cause: 'stopped', error: null });
  }

  remove(sessionId: string): void {
    this.#apply({ type: 'session.removed', sessionId, at: this.#tick() });
  }

  #tick(): number {
    this.#at += 1;
    return this.#at;
  }
}
