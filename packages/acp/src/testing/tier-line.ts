import { type Generation, type Rules, Tracker, type Traits } from '@vigil/liveness';
import { type ReadOptions, readRecording, type Step } from './recording.ts';

/** What a session showed at a moment of its recording. */
export interface Shown {
  readonly t: number;
  /** State, tier and count of live subagents, with `+` while a follow-up is expected. */
  readonly line: string;
}

const SESSION = 's';
const EXECUTION = 'e';

/** Plays a recording through its adapter and the core: what a session would have shown, change by change. */
export function tierLine(file: string, options: ReadOptions & { readonly fine?: boolean }): readonly Shown[] {
  const player = new CorePlayer({ fine: options.fine ?? false, reported: true, settleAfterMs: 2_000 });
  for (const step of readRecording(file, options)) player.play(step);
  player.rest();
  return player.shown;
}

class CorePlayer {
  readonly shown: Shown[] = [];
  readonly #tracker: Tracker;
  readonly #generations = new Map<Generation, Generation>();
  #at = 0;
  #due: number | null = null;
  #traits: Traits | null = null;

  constructor(rules: Rules) {
    this.#tracker = new Tracker({
      onChange: (change) => {
        if (!('view' in change)) return;
        const { view } = change;
        const follow = view.awaitingFollowUp ? '+' : '';
        const line = `${view.state} ${view.foregroundActivity ?? 'none'} ${view.activeSubagentCount}${follow}`;
        if (this.shown.at(-1)?.line !== line) this.shown.push({ t: this.#at, line });
      },
      onDeadline: (_, at) => {
        this.#due = at;
      },
    });
    this.#tracker.apply({
      type: 'session.loaded',
      ...this.#stamp(),
      taskId: 't',
      state: 'created',
      stopReason: null,
      error: null,
      unknown: false,
      created: true,
      rules,
    });
  }

  play(step: Step): void {
    this.#pass(step.t);
    this.#at = step.t;
    if (step.written !== undefined) this.#prompt(step.written, step.traits);
    if (step.cancelled) this.#tracker.apply({ type: 'cancel.requested', ...this.#stamp(), generation: null });
    if (this.#traits !== null) this.#open(step.traits);
    const facts = step.reading.facts.map((fact) =>
      'generation' in fact ? { ...fact, generation: this.#generations.get(fact.generation) ?? -1 } : fact,
    );
    this.#tracker.apply({ type: 'frame.received', ...this.#stamp(), executionId: EXECUTION, facts });
  }

  /** Lets all deadlines pass. */
  rest(): void {
    this.#pass(Number.POSITIVE_INFINITY);
  }

  #prompt(generation: Generation, traits: Traits): void {
    const claim = { type: 'prompt.claimed', ...this.#stamp(), origin: 'human', executionId: EXECUTION } as const;
    const claimed = this.#tracker.claim(claim);
    if (!claimed.granted) throw new Error(`prompt ${generation} was refused: ${claimed.reason}`);
    this.#generations.set(generation, claimed.generation);
    this.#open(traits);
    this.#tracker.apply({ type: 'prompt.dispatched', ...this.#stamp(), generation: claimed.generation });
  }

  #open(traits: Traits): void {
    if (JSON.stringify(traits) === JSON.stringify(this.#traits)) return;
    this.#traits = traits;
    this.#tracker.apply({ type: 'execution.opened', ...this.#stamp(), executionId: EXECUTION, traits });
  }

  #pass(until: number): void {
    while (this.#due !== null && this.#due <= until) {
      this.#at = this.#due;
      this.#due = null;
      this.#tracker.apply({ type: 'time.passed', ...this.#stamp() });
    }
  }

  #stamp() {
    return { sessionId: SESSION, at: this.#at };
  }
}
