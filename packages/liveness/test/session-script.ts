import type { EndCause, LivenessEvent, PromptOrigin, SessionState } from '../src/event.ts';
import { privateTier } from '../src/expose.ts';
import type { Fact } from '../src/fact.ts';
import { Journal, replay } from '../src/journal.ts';
import type { SessionRecord } from '../src/record.ts';
import { type ClaimResult, Tracker } from '../src/tracker.ts';
import type { Traits } from '../src/traits.ts';
import type { Change, SessionView, TaskActivity, Tier } from '../src/view.ts';
import { accepted, begun, GENERIC } from './facts.ts';

type WithoutHeader<E> = E extends LivenessEvent ? Omit<E, 'sessionId' | 'at'> : never;

export interface Setting {
  readonly traits?: Traits;
  readonly fine?: boolean;
  readonly reported?: boolean;
  readonly state?: SessionState;
  /** Survivors of an earlier life are not yet ended. */
  readonly unknown?: boolean;
  readonly created?: boolean;
}

/** Several sessions on one tracker, with a clock that only the script moves. */
export class World {
  readonly journal = new Journal();
  readonly changes: Change[] = [];
  readonly deadlines = new Map<string, number>();
  /** Called from within the delivery of each change. */
  onChange: (change: Change) => void = () => {};
  now = 1_000;
  readonly tracker = new Tracker({
    onChange: (change) => {
      this.changes.push(change);
      this.onChange(change);
    },
    onDeadline: (sessionId, at) => {
      if (at === null) this.deadlines.delete(sessionId);
      else this.deadlines.set(sessionId, at);
    },
    journal: this.journal.record,
  });

  constructor(taskId = 't', sessionIds: readonly string[] = []) {
    this.tracker.loadTask(taskId, sessionIds);
  }

  /** What was told since the last call, by type. */
  told(): readonly string[] {
    return this.changes.splice(0).map((change) => change.type);
  }

  /** Lets time pass; a deadline that came is fed to its session, as the shell does. */
  pass(ms: number): void {
    this.now += ms;
    for (const [sessionId, at] of [...this.deadlines]) {
      if (at <= this.now) this.tracker.apply({ type: 'time.passed', sessionId, at: this.now });
    }
  }

  get activity(): TaskActivity | null {
    return this.tracker.activityOf('t');
  }
}

/** One session, told as a story: given traits, when events, then its reading. */
export class SessionScript {
  readonly world: World;
  readonly id: string;
  readonly #traits: Traits;
  #executions = 0;

  constructor(world: World, id: string, setting: Setting) {
    this.world = world;
    this.id = id;
    this.#traits = setting.traits ?? GENERIC;
    this.apply({
      type: 'session.loaded',
      taskId: 't',
      rules: { fine: setting.fine ?? false, reported: setting.reported ?? true, settleAfterMs: 2_000 },
      state: setting.state ?? 'created',
      stopReason: null,
      error: null,
      unknown: setting.unknown ?? false,
      created: setting.created ?? true,
    });
  }

  apply(event: WithoutHeader<LivenessEvent>): this {
    this.world.tracker.apply({ ...event, sessionId: this.id, at: this.world.now } as LivenessEvent);
    return this;
  }

  get view(): SessionView {
    const view = this.world.tracker.view(this.id);
    if (view === undefined) throw new Error(`session ${this.id} is not loaded`);
    return view;
  }

  /** The record as the journal reproduces it; so every test that reads it tests replay as well. */
  get record(): SessionRecord {
    const record = replay(this.world.journal.entries).get(this.id);
    if (record === undefined) throw new Error(`session ${this.id} is not loaded`);
    return record;
  }

  /** The private tier, whatever the policy. */
  get tier(): Tier | null {
    return privateTier(this.record);
  }

  get foreground(): string {
    return this.record.foreground.kind;
  }

  get count(): number {
    return this.view.activeSubagentCount;
  }

  get work(): readonly string[] {
    return this.view.workloads.map((one) => one.id);
  }

  /** Id of the execution that serves now, or served last. */
  get execution(): string {
    return this.view.executionId ?? `e${this.#executions}`;
  }

  tryClaim(origin: PromptOrigin = 'human'): ClaimResult {
    const executionId = `e${this.#executions + 1}`;
    const result = this.world.tracker.claim({
      type: 'prompt.claimed',
      sessionId: this.id,
      at: this.world.now,
      origin,
      executionId,
    });
    if (result.granted && result.starts) this.#executions += 1;
    return result;
  }

  /** Claims, and opens the execution where the claim starts one. Answers the generation. */
  claim(origin: PromptOrigin = 'human'): number {
    const result = this.tryClaim(origin);
    if (!result.granted) throw new Error(`refused: ${result.reason}`);
    if (result.starts) this.open();
    return result.generation;
  }

  /** A prompt that reached the provider and was accepted. */
  prompt(origin: PromptOrigin = 'human'): number {
    const generation = this.claim(origin);
    this.dispatch(generation);
    if (this.#traits.begins === 'acknowledged') this.frame(begun(generation));
    this.frame(accepted(generation));
    return generation;
  }

  open(executionId = this.execution, traits = this.#traits): this {
    return this.apply({ type: 'execution.opened', executionId, traits });
  }

  dispatch(generation: number): this {
    return this.apply({ type: 'prompt.dispatched', generation });
  }

  release(generation: number): this {
    return this.apply({ type: 'prompt.released', generation });
  }

  frame(...facts: readonly Fact[]): this {
    return this.frameOf(this.execution, ...facts);
  }

  frameOf(executionId: string, ...facts: readonly Fact[]): this {
    return this.apply({ type: 'frame.received', executionId, facts });
  }

  cancel(generation: number | null = null): this {
    return this.apply({ type: 'cancel.requested', generation });
  }

  cancelExpires(generation: number): this {
    return this.apply({ type: 'cancel.expired', generation });
  }

  end(cause: EndCause = 'stopped', executionId = this.execution, error: string | null = null): this {
    return this.apply({ type: 'execution.ended', executionId, cause, error });
  }
}

export function session(setting: Setting = {}, world = new World(), id = 's'): SessionScript {
  return new SessionScript(world, id, setting);
}

/** Every order of the items. */
export function permutations<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}
