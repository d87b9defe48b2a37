import { elapse } from './duration.ts';
import type { Gates } from './gate.ts';
import type { HistoryEntry, HistoryStore } from './history.ts';
import type { Surface } from './surface.ts';
import { type Conversation, makeTurn, type Origin, type StopReason, type Turn } from './turn.ts';
import { RpcError, type Wire } from './wire.ts';
import { startWork, type Work, type WorkOrder, type WorkStatus } from './work.ts';

/** What all sessions of one process share. */
export interface World {
  readonly surface: Surface;
  readonly gates: Gates;
  readonly wire: Wire;
  readonly history: HistoryStore;
  /** The client can show forms. */
  readonly asksForms: boolean;
  /** Plays a turn to its end. */
  readonly perform: (session: Session, turn: Turn) => Promise<StopReason>;
}

/** Turns that wait behind the running one; more are refused. */
const QUEUE = 100;
/** Live pieces of work of one session; more are refused. */
const WORK = 200;

/** One conversation: a queue of turns, of which one has the foreground, and the work that outlives them. */
export class Session implements Conversation {
  readonly id: string;
  readonly cwd: string;
  readonly world: World;
  readonly raw: boolean;
  readonly works = new Map<string, Work>();
  readonly open = new Set<Turn>();
  readonly #queue: Turn[] = [];
  readonly #settled = new Set<() => void>();
  readonly #closed = new AbortController();
  #active: Turn | undefined;
  cost = 0;

  constructor(world: World, id: string, options: { readonly cwd: string; readonly raw: boolean }) {
    this.world = world;
    this.id = id;
    this.cwd = options.cwd;
    this.raw = options.raw;
  }

  get active(): Turn | undefined {
    return this.#active;
  }

  get live(): readonly Work[] {
    return [...this.works.values()].filter((work) => work.detached && work.status === 'running');
  }

  /** Adds a line to the transcript. */
  record(entry: HistoryEntry): void {
    this.world.history.add(this.id, entry);
  }

  /** Takes a turn: it runs now, or when those before it have ended. */
  submit(origin: Origin): void {
    const turn = makeTurn(this, origin);
    if (origin.kind === 'human' && this.#queue.length >= QUEUE) {
      origin.reply(new RpcError(-32603, 'Too many prompts wait in this session'));
      return;
    }
    this.#queue.push(turn);
    this.world.surface.queued(turn);
    this.#pump();
  }

  /** Starts a piece of work; `undefined` when there are too many. */
  launch(turn: Turn, order: WorkOrder): Work | undefined {
    if (this.works.size >= WORK) return undefined;
    const work = startWork(order);
    this.works.set(work.toolCallId, work);
    if (!work.detached) turn.foreground.add(work);
    this.world.surface.launched(turn, work);
    return work;
  }

  /** Ends a piece of work and, unless it is lost, wakes the agent. */
  settle(work: Work, status: Exclude<WorkStatus, 'running'>, wakes = true): void {
    // A lost piece of work stays listed as running: the agent never learned of its end.
    if (work.status !== 'running' || work.lost) return;
    work.status = status;
    work.stop.abort();
    this.world.surface.finished(this, work);
    if (wakes) void this.#wake(work);
    else this.works.delete(work.toolCallId);
    this.#notify();
  }

  async #wake(work: Work): Promise<void> {
    // Nothing holds back what does not linger: it is queued in the step of the end.
    if (work.lingers) await this.world.gates.wait(`${work.name}.wakes`, this.#closed.signal);
    if (!this.#closed.signal.aborted) this.submit({ kind: 'wake', work });
  }

  /** Tells a monitor's event; events that come before the last one was told are folded into it. */
  event(work: Work, count: number): void {
    if (work.eventPending || work.lost || work.status !== 'running') return;
    work.eventPending = true;
    this.submit({ kind: 'event', work, count });
  }

  /** Cancels the open turns, and what dies with a cancel on this surface. */
  cancel(): void {
    for (const turn of this.#queue.filter(({ origin }) => origin.kind === 'human')) this.#withdraw(turn);
    const turns = [...this.open];
    for (const turn of turns) {
      turn.cancel.abort();
      // A hung turn is never answered, but it no longer holds back what comes after its cancel.
      if (turn.hung) this.#abandon(turn);
    }
    for (const work of this.live) if (this.world.surface.dies(work.kind)) this.settle(work, 'killed', false);
    this.#pump();
  }

  /** Ends everything; nothing is sent any more but the answers that are due. */
  close(): void {
    this.#closed.abort();
    for (const turn of this.#queue.splice(0)) {
      if (turn.origin.kind === 'human') turn.origin.reply({ stopReason: 'cancelled' });
    }
    for (const turn of this.open) turn.cancel.abort();
    for (const work of this.works.values()) work.stop.abort();
    this.works.clear();
    this.#notify();
  }

  /** Gives the foreground away with the prompt's answer still open. */
  yieldForeground(turn: Turn): void {
    turn.yielded = true;
    if (this.#active === turn) this.#active = undefined;
    this.#pump();
  }

  /** Resolves when no detached work is live and no wake is due, when another prompt begins, or at a cancel. */
  async quiet(turn: Turn): Promise<void> {
    while (!turn.cancel.signal.aborted && !this.#succeeded(turn) && this.#busy()) {
      await new Promise<void>((resolve) => this.#settled.add(resolve));
    }
  }

  #succeeded(turn: Turn): boolean {
    return [...this.open].some((other) => other !== turn && other.origin.kind === 'human');
  }

  #busy(): boolean {
    return this.live.length > 0 || this.#queue.length > 0 || this.#active !== undefined;
  }

  #notify(): void {
    const settled = [...this.#settled];
    this.#settled.clear();
    for (const resolve of settled) resolve();
  }

  #pump(): void {
    const turn = this.#active === undefined ? this.#queue.shift() : undefined;
    if (turn !== undefined) {
      this.#active = turn;
      this.open.add(turn);
      void this.#run(turn);
    }
    this.#notify();
  }

  async #run(turn: Turn): Promise<void> {
    if (turn.origin.kind === 'event') turn.origin.work.eventPending = false;
    this.world.surface.began(turn);
    const stopReason = await this.world.perform(this, turn);
    if (turn.hung) return;
    this.#end(turn, stopReason);
  }

  #end(turn: Turn, stopReason: StopReason): void {
    for (const call of turn.calls.values()) {
      this.world.surface.callClosed(turn, call, {
        status: 'failed',
        output: 'The turn was cancelled before this tool call returned a result.',
      });
    }
    turn.calls.clear();
    for (const work of turn.foreground) this.works.delete(work.toolCallId);
    this.open.delete(turn);
    if (turn.origin.kind === 'wake') this.works.delete(turn.origin.work.toolCallId);
    this.world.surface.ended(turn, stopReason);
    if (this.#active === turn) this.#active = undefined;
    this.#pump();
  }

  #abandon(turn: Turn): void {
    this.open.delete(turn);
    if (this.#active === turn) this.#active = undefined;
  }

  #withdraw(turn: Turn): void {
    this.#queue.splice(this.#queue.indexOf(turn), 1);
    if (turn.origin.kind !== 'human') return;
    const { reply } = turn.origin;
    reply(this.world.surface.version === 2 ? new RpcError(-32800, 'Request cancelled') : { stopReason: 'cancelled' });
  }
}

/** Lets a piece of work run its time, or until its gate is released; tells a monitor's events meanwhile. */
export async function runWork(session: Session, work: Work, every?: number): Promise<void> {
  const { signal } = work.stop;
  if (every !== undefined) void tick(session, work, every);
  if (work.milliseconds === undefined) await session.world.gates.wait(work.name, signal);
  else await elapse(work.milliseconds, signal);
}

async function tick(session: Session, work: Work, every: number): Promise<void> {
  for (let count = 1; !work.stop.signal.aborted; count++) {
    await elapse(every, work.stop.signal);
    if (!work.stop.signal.aborted) session.event(work, count);
  }
}
