import type { AgentConnection, AgentExit, OpenOptions, PromptReceipt, Reading, RequestOutcome } from '@vigil/acp';
import type { Fact, Traits, WorkloadKind } from '@vigil/liveness';
import type fc from 'fast-check';
import type { Carriage, Closing, Surface, TurnPlan } from './plans.ts';
import { SURFACES } from './plans.ts';

/** A prompt as its provider has it. */
export interface Prompted {
  readonly generation: number;
  readonly text: string;
  readonly plan: TurnPlan;
  state: 'written' | 'taken' | 'over';
  yielded: boolean;
  /** When its cancel was asked for. */
  cancelledAt: number | null;
  /** A human prompt took the foreground from it. */
  followed: boolean;
  readonly receipt: (receipt: PromptReceipt) => void;
}

/** Something that a provider says; `after` runs when it has arrived. */
export interface Frame {
  readonly name: string;
  readonly facts?: readonly Fact[];
  readonly transcript?: Reading['transcript'];
  readonly opens?: Reading['requests'][number];
  readonly closes?: readonly string[];
  readonly after?: () => void;
  readonly of?: Prompted;
  /** Goes on only when this request was answered. */
  readonly waitsFor?: string;
}

export interface ProcessOptions {
  readonly open: OpenOptions;
  readonly surface: Surface;
  readonly executionId: string;
  readonly scheduler: fc.Scheduler;
  readonly carriage: () => Carriage;
  readonly closing: Closing;
  readonly now: () => number;
  /** Writes what follows from a prompt into the outbox. */
  readonly play: (process: FakeProcess, prompt: Prompted) => void;
  readonly plan: (text: string) => TurnPlan;
  /** Told before a prompt is written, and when one was taken. */
  readonly written: (process: FakeProcess, text: string) => void;
  readonly taken: (process: FakeProcess, prompt: Prompted) => void;
  readonly serverLives: () => boolean;
}

const GONE: PromptReceipt = { accepted: false, busy: false, message: 'the agent is gone' };

/** One agent process: what it says leaves in order, one frame at a time, when the scheduler says so. */
export class FakeProcess implements AgentConnection {
  readonly traits: Traits;
  readonly agentSessionId: string;
  readonly protocolVersion = 1;
  readonly history = 'new';
  readonly pid = 1;
  readonly processStartTime = '1';
  readonly options: ProcessOptions;
  readonly agentId: string;
  readonly prompts: Prompted[] = [];
  /** Requests that wait for an answer. */
  readonly asked = new Set<string>();
  /** Detached work that runs, by name. */
  readonly work = new Map<string, WorkloadKind>();
  alive = true;
  opened = false;
  /** Its end was asked for: what it does from now on is not wanted. */
  unwanted = false;
  #outbox: Frame[] = [];
  #carrying = false;
  #closing: Promise<void> | null = null;
  #refusesToEnd: boolean;
  #names = 0;

  constructor(options: ProcessOptions) {
    this.options = options;
    this.traits = SURFACES[options.surface];
    this.agentId = options.open.launch.agentId;
    this.agentSessionId = options.open.agentSessionId ?? `conversation of ${this.agentId}`;
    this.#refusesToEnd = options.closing === 'refuses once';
  }

  get surface(): Surface {
    return this.options.surface;
  }

  get openPrompts(): readonly Prompted[] {
    return this.prompts.filter((one) => one.state !== 'over');
  }

  /** A name that this process did not use yet. */
  name(what: string): string {
    this.#names += 1;
    return `${what}-${this.#names}`;
  }

  prompt(generation: number, text: string): Promise<PromptReceipt> {
    this.options.written(this, text);
    if (!this.alive) return Promise.resolve(GONE);
    const plan = this.options.plan(text);
    if (plan.answer === 'breaks') return this.#breaks();
    return new Promise((receipt) => {
      const prompt: Prompted = {
        generation,
        text,
        plan,
        state: 'written',
        yielded: false,
        followed: false,
        cancelledAt: null,
        receipt,
      };
      this.prompts.push(prompt);
      this.options.play(this, prompt);
    });
  }

  async #breaks(): Promise<PromptReceipt> {
    await this.options.scheduler.schedule(Promise.resolve(), 'a request breaks');
    throw new Error('the request could not be written');
  }

  /** Puts frames into the outbox. */
  say(...frames: Frame[]): void {
    if (!this.alive) return;
    this.#outbox.push(...frames);
    this.#carry();
  }

  /** The rest of this turn is not said. */
  interrupt(prompt: Prompted): void {
    this.#outbox = this.#outbox.filter((frame) => frame.of !== prompt);
  }

  cancel(): void {
    for (const prompt of this.openPrompts) {
      prompt.cancelledAt ??= this.options.now();
      if (prompt.plan.deaf) continue;
      this.interrupt(prompt);
      this.say(endOf(this, prompt, 'cancelled'));
    }
    this.#carry();
  }

  respond(id: string, _outcome: RequestOutcome): boolean {
    const isOpen = this.alive && this.asked.delete(id);
    this.#carry();
    return isOpen;
  }

  stop(workloadId: string): Promise<{ stopped: boolean; reason: string | null }> {
    return this.options.scheduler.schedule(Promise.resolve(), 'agent stop').then(() => {
      const name = workloadId.replace('run:', '');
      const stopped = this.alive && this.work.delete(name);
      if (stopped) this.#stopped(name);
      return { stopped, reason: stopped ? null : 'it does not run' };
    });
  }

  /** Told when work of this name was stopped; set by the provider. */
  onStopped: (name: string) => void = () => undefined;

  #stopped(name: string): void {
    this.onStopped(name);
  }

  close(): Promise<void> {
    this.unwanted = true;
    this.#closing ??= this.#end().catch((error: unknown) => {
      this.#closing = null;
      throw error;
    });
    return this.#closing;
  }

  async #end(): Promise<void> {
    await this.options.scheduler.schedule(Promise.resolve(), `close ${this.agentId}`);
    if (this.#refusesToEnd && this.alive) {
      this.#refusesToEnd = false;
      throw new Error('the process does not end');
    }
    this.die({ code: 0, signal: 'SIGTERM', stderr: '', reason: null });
  }

  /** It will end when told to. */
  tame(): void {
    this.#refusesToEnd = false;
  }

  /** The process is gone; a server that lives hears of it. */
  die(exit: AgentExit): void {
    if (!this.alive) return;
    this.alive = false;
    this.#outbox = [];
    this.asked.clear();
    this.work.clear();
    if (!this.opened) return;
    const { scheduler, open, serverLives } = this.options;
    void scheduler.schedule(Promise.resolve(), `gone ${this.agentId}`).then(() => {
      if (!serverLives()) return;
      open.sink.gone(exit);
      for (const prompt of this.openPrompts) this.over(prompt, GONE);
    });
  }

  over(prompt: Prompted, receipt: PromptReceipt): void {
    prompt.state = 'over';
    prompt.receipt(receipt);
  }

  #carry(): void {
    const [head] = this.#outbox;
    const waits = head?.waitsFor !== undefined && this.asked.has(head.waitsFor);
    if (this.#carrying || head === undefined || waits || !this.alive || !this.opened) return;
    this.#carrying = true;
    void this.options.scheduler.schedule(Promise.resolve(), `${this.agentId} says ${head.name}`).then(() => {
      this.#carrying = false;
      // Of a server that is gone nobody reads.
      if (!this.alive || !this.options.serverLives()) return;
      this.#next();
      this.#carry();
    });
  }

  #next(): void {
    const carriage = this.options.carriage();
    const [head, second] = this.#outbox;
    const overtaken = carriage === 'late' && second !== undefined && second.waitsFor === undefined;
    const frame = overtaken ? second : head;
    if (frame === undefined) return;
    this.#outbox.splice(overtaken ? 1 : 0, 1);
    if (carriage === 'lost' && frame.after === undefined) return;
    this.#arrive(frame);
    if (carriage === 'doubled' && this.alive) this.#arrive(frame);
  }

  #arrive(frame: Frame): void {
    const { sink } = this.options.open;
    const closed = (frame.closes ?? []).map((id) => ({ type: 'closed', id }) as const);
    const requests = frame.opens === undefined ? closed : [...closed, frame.opens];
    if (frame.opens?.type === 'opened' && !this.asked.has(frame.opens.request.id))
      this.asked.add(frame.opens.request.id);
    sink.frame({ facts: frame.facts ?? [], transcript: frame.transcript ?? [], requests });
    frame.after?.();
  }

  /** May go on. */
  opens(): void {
    this.opened = true;
    this.#carry();
  }
}

/** The end of a turn, as this surface tells it. What its foreground asked is moot. */
export function endOf(process: FakeProcess, prompt: Prompted, stopReason: string): Frame {
  const { generation } = prompt;
  const held: Fact[] = [
    { kind: 'prompt.accepted', generation },
    { kind: 'rpc.settled', generation, stopReason },
  ];
  const receipt: Fact[] = [
    { kind: 'prompt.accepted', generation },
    { kind: 'foreground', level: 'state', state: 'idle', stopReason },
  ];
  return {
    name: `end ${prompt.text} ${stopReason}`,
    facts: process.surface === 'lists' ? receipt : held,
    get closes() {
      return [...process.asked];
    },
    after: () => {
      process.asked.clear();
      taken(process, prompt);
      process.over(prompt, { accepted: true });
    },
    of: prompt,
  };
}

export function taken(process: FakeProcess, prompt: Prompted): void {
  if (prompt.state !== 'written') return;
  prompt.state = 'taken';
  process.options.taken(process, prompt);
  prompt.receipt({ accepted: true });
}
