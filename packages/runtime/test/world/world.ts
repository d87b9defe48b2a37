import { type Database, DatabaseError } from '@vigil/db';
import type fc from 'fast-check';
import { createVigil, type RunningVigil, type Session, type VigilDeps } from '../../src/index.ts';
import { FakeClock } from './clock.ts';
import { fakeDatabase } from './fake-database.ts';
import { Ledger } from './ledger.ts';
import { cycle, type Plan } from './plans.ts';
import type { FakeProcess } from './process.ts';
import type { Store } from './store.ts';
import { Weather } from './weather.ts';

export const CANCEL_AFTER_MS = 10_000;
/** Things that happen without time passing, before a history is taken for one that never rests. */
const RESTLESS = 20_000;

/** One boot of the server, until it is closed or killed. */
export interface Life {
  alive: boolean;
  readonly vigil: RunningVigil;
  /** Aborted with it: whoever watches leaves. */
  readonly over: AbortController;
}

interface Call {
  readonly name: string;
  readonly life: Life;
  readonly lost: () => void;
}

/** What the caller of a call learns of it. */
export interface Told<T> {
  readonly ok?: (value: T) => void;
  readonly bad?: (error: { code: string; reason: string | undefined }) => void;
  /** The server died before it answered. */
  readonly lost?: () => void;
}

/** What a life of the server is given. */
export interface Around {
  deps(life: { alive: boolean }): VigilDeps;
}

/** A session that the history knows by its place; `sessionId` is null while it is deleted. */
export interface Slot {
  readonly index: number;
  taskId: string | null;
  sessionId: string | null;
  /** Executions that served it, oldest first. */
  readonly executions: string[];
}

/** Provider, database and clock as fakes around the real runtime and core; what happens next is the scheduler's choice. */
export class World {
  readonly clock = new FakeClock();
  readonly ledger = new Ledger();
  readonly scheduler: fc.Scheduler;
  readonly plan: Plan;
  readonly store: Store;
  readonly weather: Weather;
  readonly processes: FakeProcess[] = [];
  readonly slots: Slot[] = [0, 1, 2].map((index) => ({ index, taskId: null, sessionId: null, executions: [] }));
  readonly violations: string[] = [];
  /** What this history came through. */
  readonly reached = new Set<string>();
  readonly calls = new Set<Call>();
  /** From now on everybody behaves: nothing is lost, refused or left unanswered. */
  calm = false;
  life: Life | null = null;
  texts = 0;
  readonly database: Database;
  readonly next;

  readonly #around: Around;

  constructor(scheduler: fc.Scheduler, plan: Plan, around: (world: World) => Around) {
    this.#around = around(this);
    this.scheduler = scheduler;
    this.plan = plan;
    const { store, database } = fakeDatabase(() => new Date(this.clock.now).toISOString());
    this.store = store;
    this.database = database;
    this.weather = new Weather(scheduler, cycle(plan.fates, 'fine'));
    this.next = {
      turn: cycle(plan.turns, { answer: 'takes', pieces: [], ends: true, deaf: false }),
      carriage: cycle(plan.carriages, 'whole'),
      opening: cycle(plan.openings, 'opens'),
      closing: cycle(plan.closings, 'ends'),
    };
  }

  get vigil(): RunningVigil {
    if (this.life === null) throw new Error('no server runs');
    return this.life.vigil;
  }

  fail(rule: string, what: string): void {
    this.violations.push(`[${rule}] ${what}`);
  }

  /** Everything that is due and was promised has run; no time has passed. */
  async tick(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Lets things happen that wait for the scheduler: so many, or all (-1). */
  async run(count = -1): Promise<void> {
    await this.tick();
    for (let done = 0; done !== count && this.scheduler.count() > 0; done += 1) {
      if (done > RESTLESS) throw new Error('the world does not come to rest');
      await this.scheduler.waitOne();
      await this.tick();
    }
  }

  /** Lets time go on, with all that happens in it. */
  async advance(ms: number): Promise<void> {
    await this.clock.advance(ms, () => this.run());
    await this.run();
  }

  /** Boots the server, again when the database does not let it. */
  async start(): Promise<void> {
    const { calm } = this.weather;
    for (let attempt = 0; ; attempt += 1) {
      if (attempt > 3) {
        this.weather.calm = true;
        this.weather.down = false;
      }
      const born = { alive: true };
      const booted = createVigil(this.#around.deps(born)).then(
        (vigil) => vigil,
        (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
      );
      const vigil = await this.ask(booted);
      if (!(vigil instanceof Error)) {
        this.life = Object.assign(born, { vigil, over: new AbortController() });
        this.weather.calm = calm;
        return;
      }
      if (!(vigil instanceof DatabaseError)) throw vigil;
      born.alive = false;
      this.clock.forgetAll();
    }
  }

  /** The server is gone in this moment: nothing of it happens any more, and nobody is answered. */
  kill(): void {
    const { life } = this;
    if (life === null) return;
    this.#forget(life);
    for (const process of this.processes) this.#orphan(process);
  }

  /** It is asked to stop, and does. */
  async stop(): Promise<void> {
    const { life } = this;
    if (life === null) return;
    const closed = life.vigil.close();
    void closed.catch((error: unknown) => this.fail('S141', `close failed: ${String(error)}`));
    let over = false;
    void closed.then(() => {
      over = true;
    });
    await this.run();
    for (let round = 0; !over && round < 10; round += 1) await this.advance(1_000);
    if (!over) this.fail('P7', 'the server does not stop');
    this.#forget(life);
    for (const process of this.processes) this.#orphan(process);
  }

  /** Tracks a call to the server. */
  call<T>(name: string, promise: Promise<T>, told: Told<T> = {}): void {
    const { life } = this;
    if (life === null) return;
    const call: Call = { name, life, lost: told.lost ?? (() => undefined) };
    this.calls.add(call);
    promise.then(
      (value) => {
        if (this.calls.delete(call)) told.ok?.(value);
      },
      (error: unknown) => {
        if (!this.calls.delete(call)) return;
        if (error instanceof Error && 'code' in error && error.name === 'VigilError') {
          const { code } = error;
          const reason = 'reason' in error && typeof error.reason === 'string' ? error.reason : undefined;
          this.reached.add(`refused ${reason ?? String(code)}`);
          told.bad?.({ code: String(code), reason });
        } else this.fail('errors', `${name}: ${error instanceof Error ? error.stack : String(error)}`);
      },
    );
  }

  slotOf(agentId: string): Slot {
    const slot = this.slots[Number(agentId.replace('agent-', ''))];
    if (slot === undefined) throw new Error(`no slot of ${agentId}`);
    return slot;
  }

  /** The public session, archived or not; undefined when it is gone. */
  async shown(slot: Slot): Promise<Session | undefined> {
    if (slot.taskId === null) return undefined;
    const { sessions } = await this.vigil.getTask(slot.taskId).catch(() => ({ sessions: [] }));
    return sessions.find((one) => one.id === slot.sessionId);
  }

  /** The living process of a slot that was opened last. */
  processOf(slot: Slot): FakeProcess | undefined {
    return this.processes.findLast((one) => one.alive && one.agentId === `agent-${slot.index}`);
  }

  /** Waits for an answer that may need the scheduler, and time. */
  async ask<T>(promise: Promise<T>): Promise<T> {
    let over = false;
    void promise.then(() => {
      over = true;
    });
    await this.run();
    for (let round = 0; !over && round < 20; round += 1) await this.advance(1_000);
    if (!over) throw new Error('nobody answers');
    return promise;
  }

  #forget(life: Life): void {
    life.alive = false;
    this.life = null;
    life.over.abort();
    this.clock.forgetAll();
    for (const call of this.calls) call.lost();
    this.calls.clear();
    for (const entry of this.ledger.entries) {
      const row = [...this.store.prompts.values()].find((one) => this.ledger.byText(one.text) === entry);
      const open = row?.status === 'reserved' || row?.status === 'queued';
      if (open && entry.takes > entry.unrecorded) entry.unrecorded += 1;
      if (entry.refusals.includes('unavailable')) entry.unsure = true;
    }
  }

  /** Without a server a process ends with its pipe, except where its execution is known to be looked for (S141). */
  #orphan(process: FakeProcess): void {
    const row = this.store.executions.get(process.options.executionId);
    const survives = row !== undefined && row.endedAt === null && this.next.closing() === 'refuses once';
    process.unwanted = true;
    if (!survives) process.die({ code: 0, signal: null, stderr: '', reason: null });
  }
}
