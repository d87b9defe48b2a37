import type { AgentConnection, OpenOptions } from '@vigil/acp';
import type { ExecutionRow } from '@vigil/db';
import type { VigilDeps } from '../../src/index.ts';
import type { Surface, TurnPlan } from './plans.ts';
import { FakeProcess, type Prompted } from './process.ts';
import { play } from './provider.ts';
import { type Around, CANCEL_AFTER_MS, type Slot, type World } from './world.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const SURFACES: readonly Surface[] = ['plain', 'claude', 'lists'];

/** The agents of a world, as a life of the server is given them, and what is held of every prompt that reaches one. */
export class Agents implements Around {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  deps(life: { alive: boolean }): VigilDeps {
    const agent = (index: number) => ({ id: `agent-${index}`, provider: 'mock', label: 'mock' });
    return {
      database: this.#world.weather.over(this.#world.database, () => life.alive),
      agents: {
        list: () => this.#world.slots.map(({ index }) => ({ ...agent(index), available: true, reason: null })),
        launch: (agentId) => ({ launch: { agentId, provider: 'mock', command: 'fake', args: [], env: {}, cwd: '/' } }),
      },
      openAgent: (options) => this.#open(options, life),
      endLeftovers: async (rows) => {
        const gone = await Promise.all(rows.map((row) => this.#endLeftover(row)));
        return new Set(rows.filter((_, index) => gone[index] !== true).map((row) => row.id));
      },
      config: {
        ...{ settleAfterMs: 2_000, startTimeoutMs: 60_000, stallAfterMs: 300_000, cancelAfterMs: CANCEL_AFTER_MS },
        ...{ features: { handoff: this.#world.plan.handoff, reported: null }, mockProvider: true, defaultCwd: '/' },
      },
      log: silent,
      now: () => this.#world.clock.now,
      version: 'world',
    };
  }

  async #endLeftover(row: ExecutionRow): Promise<boolean> {
    await this.#world.scheduler.schedule(Promise.resolve(), 'end a leftover');
    const process = this.#world.processes.find((one) => one.options.executionId === row.id && one.alive);
    if (process === undefined) return true;
    if (!this.#world.calm && this.#world.next.closing() === 'refuses once') return false;
    process.die({ code: null, signal: 'SIGKILL', stderr: '', reason: null });
    return true;
  }

  async #open(options: OpenOptions, life: { alive: boolean }): Promise<AgentConnection> {
    if (!life.alive) return new Promise(() => undefined);
    const slot = this.#world.slotOf(options.launch.agentId);
    const executionId = options.launch.env.VIGIL_EXECUTION_ID ?? '';
    const other = this.#world.processOf(slot);
    if (other !== undefined) this.#world.fail('S117', `two processes of one session: ${other.options.executionId}`);
    if (slot.sessionId === null) this.#world.fail('S114', `an agent is started for a session that was deleted`);
    slot.executions.push(executionId);
    const process = new FakeProcess({
      ...{ open: options, executionId, scheduler: this.#world.scheduler, play, now: () => this.#world.clock.now },
      surface: SURFACES[slot.index] ?? 'plain',
      carriage: () => (this.#world.calm ? 'whole' : this.#world.next.carriage()),
      closing: this.#world.calm ? 'ends' : this.#world.next.closing(),
      plan: (text) => this.#turn(text),
      written: (at, text) => this.#written(at, text, slot),
      taken: (at, prompt) => this.#taken(at, prompt),
      serverLives: () => life.alive,
    });
    this.#world.processes.push(process);
    const opening = this.#world.calm ? 'opens' : this.#world.next.opening();
    await this.#world.scheduler.schedule(Promise.resolve(), `open ${process.agentId}`);
    // It is killed meanwhile: nobody is there to be told, and the process is a leftover.
    if (!life.alive) return new Promise(() => undefined);
    if (options.signal?.aborted || opening === 'fails' || !process.alive) {
      process.die({ code: 1, signal: null, stderr: '', reason: null });
      throw new Error('the agent could not be opened');
    }
    process.opens();
    return process;
  }

  /** A provider is busy for one prompt twice at most, since each time it tells that it is idle again (S83). */
  #turn(text: string): TurnPlan {
    const plan = this.#world.next.turn();
    if (this.#world.calm) return { answer: 'takes', ends: true, deaf: false, pieces: [] };
    return this.#world.ledger.byText(text).writes > 2 ? { ...plan, answer: 'takes' } : plan;
  }

  /** P1: a prompt is written only to a process whose foreground is its own. */
  #written(process: FakeProcess, text: string, slot: Slot): void {
    const entry = this.#world.ledger.byText(text);
    entry.writes += 1;
    if (slot.sessionId !== entry.sessionId)
      this.#world.fail('S114', `"${text}" was written for a session that was deleted`);
    if (entry.removed) this.#world.fail('S82', `"${text}" was written although it was removed`);
    if (entry.abandoned) this.#world.fail('S56', `"${text}" was written again although it may have been taken`);
    if (entry.takes > entry.unrecorded) this.#world.fail('S56', `"${text}" was written again although it was taken`);
    for (const open of process.openPrompts) {
      const expired = open.cancelledAt !== null && this.#world.clock.now - open.cancelledAt >= CANCEL_AFTER_MS;
      // A wake-up never takes a handoff, but comes after the human turn that did (S61).
      const handedOver = open.yielded && this.#world.plan.handoff && (entry.origin === 'human' || open.followed);
      if (handedOver && entry.origin === 'human') open.followed = true;
      if (handedOver) this.#world.reached.add('handed over');
      else if (expired) this.#world.reached.add('written beside a turn that was never answered');
      if (!expired && !handedOver) this.#world.fail('P1', `"${text}" was written while "${open.text}" was at work`);
    }
  }

  #taken(process: FakeProcess, prompt: Prompted): void {
    const entry = this.#world.ledger.byText(prompt.text);
    if (process.unwanted) return;
    entry.takes += 1;
    this.#world.reached.add(entry.takes > 1 ? 'taken again after an unrecorded take' : 'taken');
    if (entry.takes > 1 + entry.unrecorded) this.#world.fail('S80', `"${prompt.text}" was taken twice`);
  }
}
