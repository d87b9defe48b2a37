import {
  type Change,
  type EndCause,
  type ExecutionId,
  type Fact,
  type Generation,
  type LivenessEvent,
  type Rules,
  type SessionView,
  Tracker,
  type Traits,
} from '@vigil/liveness';
import type { AgentRequest } from '../types.ts';
import type { Act, Step } from './recorded-wire.ts';

/** What a session showed from a moment of its recording on. */
export interface Shown {
  readonly t: number;
  readonly view: SessionView;
  readonly requests: readonly AgentRequest[];
}

/** Each event without what the player stamps on all of them. */
type Unstamped<Event> = Event extends LivenessEvent ? Omit<Event, 'sessionId' | 'at'> : never;

const SESSION = 's';
/** As the runtime has it (S131). */
const CANCEL_EXPIRES_AFTER_MS = 10_000;

/**
 * Plays what was read into the core, as the runtime would: prompts are claimed before they are sent, and one that the
 * recorded client sent while the session was busy waits like a queued one, unless the agent takes it up before.
 */
export class SessionPlayer {
  readonly shown: Shown[] = [];
  readonly #tracker: Tracker;
  readonly #requests = new Map<string, AgentRequest>();
  /** Generations of the core by those of the recording. */
  readonly #generations = new Map<Generation, Generation>();
  readonly #waiting = new Set<Generation>();
  #starting: Generation | null = null;
  #execution = 0;
  #at = 0;
  #due: number | null = null;
  #cancelDue: number | null = null;
  #traits: Traits | null = null;

  constructor(rules: Rules) {
    this.#tracker = new Tracker({
      onChange: (change) => this.#told(change),
      onDeadline: (_, at) => {
        this.#due = at;
      },
    });
    const fresh = { state: 'created', stopReason: null, error: null, unknown: false, created: true } as const;
    this.#tracker.apply({ type: 'session.loaded', ...this.#stamp(), taskId: 't', rules, ...fresh });
  }

  get view(): SessionView {
    const view = this.#tracker.view(SESSION);
    if (!view) throw new Error('expected the session to be loaded, it is not');
    return view;
  }

  play(step: Step): void {
    this.#pass(step.t);
    this.#at = Math.max(this.#at, step.t);
    if (step.act) this.#act(step.act, step.traits);
    if (this.#traits !== null) this.#open(step.traits);
    for (const event of step.reading.requests) {
      if (event.type === 'opened') this.#requests.set(event.request.id, event.request);
      else this.#requests.delete(event.id);
    }
    this.#receive(step.reading.facts);
    this.#look();
  }

  /** Lets all deadlines pass. */
  rest(): void {
    this.#pass(Number.POSITIVE_INFINITY);
  }

  #act(act: Act, traits: Traits): void {
    switch (act.act) {
      case 'opens':
        this.#execution += 1;
        this.#starting = this.#claim();
        return;
      case 'opened':
        this.#open(traits);
        return;
      case 'prompts':
        this.#prompt(act.generation);
        return;
      case 'cancels':
        return this.#cancel();
      case 'stops': {
        const target = this.view.workloads.find((one) => act.isTarget(one.id));
        if (target) this.#apply({ type: 'stop.requested', executionId: this.#id, workloadId: target.id });
        return;
      }
      case 'ends':
        this.#end(act.cause);
    }
  }

  #claim(): Generation | null {
    const claim = { type: 'prompt.claimed', ...this.#stamp(), origin: 'human', executionId: this.#id } as const;
    const claimed = this.#tracker.claim(claim);
    return claimed.granted ? claimed.generation : null;
  }

  #prompt(recorded: Generation): void {
    this.#waiting.add(recorded);
    const claimed = this.#starting;
    this.#starting = null;
    if (claimed === null) this.#drain();
    else this.#dispatch(recorded, claimed);
  }

  /** What waits goes out on the first occasion, in its order (S81). */
  #drain(): void {
    for (const recorded of this.#waiting) {
      if (this.view.inputMode !== 'direct' || this.view.executionId !== this.#id) return;
      const claimed = this.#claim();
      if (claimed === null) return;
      this.#dispatch(recorded, claimed);
    }
  }

  #dispatch(recorded: Generation, claimed: Generation): void {
    this.#waiting.delete(recorded);
    this.#generations.set(recorded, claimed);
    this.#apply({ type: 'prompt.dispatched', generation: claimed });
  }

  #receive(facts: readonly Fact[]): void {
    const known = facts.map((fact) => ('generation' in fact ? this.#generationOf(fact) : fact));
    this.#apply({ type: 'frame.received', executionId: this.#id, facts: known });
    this.#drain();
  }

  #generationOf(fact: Extract<Fact, { generation: Generation }>): Fact {
    // The agent took it up, or answered it, while we would still have kept it back: it is none of ours.
    if (fact.kind !== 'prompt.accepted') this.#waiting.delete(fact.generation);
    return { ...fact, generation: this.#generations.get(fact.generation) ?? -1 };
  }

  #cancel(): void {
    this.#apply({ type: 'cancel.requested', generation: null });
    if (this.view.cancellationPending) this.#cancelDue ??= this.#at + CANCEL_EXPIRES_AFTER_MS;
  }

  #end(cause: EndCause): void {
    if (cause === 'crashed') this.#apply({ type: 'execution.lost', executionId: this.#id });
    this.#requests.clear();
    this.#waiting.clear();
    this.#traits = null;
    this.#starting = null;
    this.#apply({ type: 'execution.ended', executionId: this.#id, cause, error: null });
  }

  #open(traits: Traits): void {
    if (traits === this.#traits) return;
    this.#traits = traits;
    this.#apply({ type: 'execution.opened', executionId: this.#id, traits });
  }

  #pass(until: number): void {
    for (let next = this.#next(); next !== null && next <= until; next = this.#next()) {
      this.#at = Math.max(this.#at, next);
      if (next === this.#cancelDue) this.#expire();
      if (next === this.#due) {
        this.#due = null;
        this.#apply({ type: 'time.passed' });
      }
      this.#drain();
      this.#look();
    }
  }

  #next(): number | null {
    if (this.#cancelDue === null || this.#due === null) return this.#cancelDue ?? this.#due;
    return Math.min(this.#cancelDue, this.#due);
  }

  #expire(): void {
    this.#cancelDue = null;
    const { generation, cancellationPending } = this.view;
    if (generation !== null && cancellationPending) this.#apply({ type: 'cancel.expired', generation });
  }

  #told(change: Change): void {
    if (!('view' in change)) return;
    if (!change.view.cancellationPending) this.#cancelDue = null;
    this.#look(change.view);
  }

  /** Keeps what is shown now, where it is another than before. */
  #look(view = this.view): void {
    const requests = [...this.#requests.values()];
    const last = this.shown.at(-1);
    const same = last?.view === view && last.requests.length === requests.length;
    if (!same) this.shown.push({ t: this.#at, view, requests });
  }

  get #id(): ExecutionId {
    return `e${this.#execution}`;
  }

  #apply(event: Unstamped<LivenessEvent>): void {
    this.#tracker.apply({ ...event, ...this.#stamp() });
  }

  #stamp() {
    return { sessionId: SESSION, at: this.#at };
  }
}
