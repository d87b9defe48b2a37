import { setTimeout as pause } from 'node:timers/promises';
import type { World } from './world.ts';

const PAUSE_MS = 400;
/** How long nothing may get on before it counts as stuck. */
const SETTLE_MS = 30_000;

/** Seeded numbers from 0 to 1 (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** What became of everything that was acknowledged. */
export interface Account {
  readonly acknowledged: number;
  readonly deliveredOnce: number;
  /** Came back as `delivery_unknown`, for a person to decide. */
  readonly tended: number;
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly stuck: readonly string[];
}

/** Prompts to many sessions that go on whatever happens to the server: each is repeated by its key until it is taken. */
export class Traffic {
  readonly #world: World;
  readonly #random: () => number;
  readonly #sessions: string[] = [];
  readonly #acknowledged = new Set<string>();
  #going = true;
  #loops: Promise<void>[] = [];
  #count = 0;
  readonly #tended = new Set<string>();

  private constructor(world: World, seed: number) {
    this.#world = world;
    this.#random = randomOf(seed);
  }

  static async start(world: World, how: { sessions: number; seed: number }): Promise<Traffic> {
    const traffic = new Traffic(world, how.seed);
    for (let n = 0; n < how.sessions; n++) traffic.#sessions.push((await world.session('mock')).id);
    traffic.#loops = traffic.#sessions.map((id) => traffic.#drive(id));
    return traffic;
  }

  get acknowledged(): number {
    return this.#acknowledged.size;
  }

  /** No further prompts; those under way are taken first. */
  async stop(): Promise<void> {
    this.#going = false;
    await Promise.all(this.#loops);
  }

  /**
   * What a person does after a restart: of what may have been delivered, removes what was and sends what was not, and
   * lets the queues run again.
   */
  async tend(): Promise<void> {
    const { queue } = this.#world.api;
    const delivered = this.#world.witness.deliveries();
    await Promise.all(
      this.#sessions.map(async (sessionId) => {
        const { entries, autoRun } = await queue.list.query({ sessionId });
        if (autoRun) return;
        for (const { messageId, text, reason } of entries) {
          if (reason !== 'delivery_unknown') continue;
          this.#tended.add(messageId);
          if (delivered.has(nameOf(text))) await queue.remove.mutate({ sessionId, messageId });
        }
        await queue.setAutoRun.mutate({ sessionId, on: true });
      }),
    );
  }

  /** Waits until nothing runs or waits any more, and counts. */
  async account(): Promise<Account> {
    const stuck = await this.#settle();
    const delivered = this.#world.witness.deliveries();
    const parked = await this.#parked();
    const all = [...this.#acknowledged];
    return {
      acknowledged: all.length,
      deliveredOnce: all.filter((one) => delivered.get(one) === 1).length,
      tended: this.#tended.size,
      lost: all.filter((one) => !delivered.has(one) && !parked.includes(one)),
      doubled: [...delivered].filter(([, count]) => count > 1).map(([name]) => name),
      stuck,
    };
  }

  async #drive(sessionId: string): Promise<void> {
    while (this.#going) {
      this.#count += 1;
      const name = `/say ${sessionId.slice(0, 8)}-${this.#count}`;
      const tail =
        this.#random() < 0.2
          ? `\n/subagent S${this.#count} for 150ms`
          : `\n/wait ${Math.round(this.#random() * 150)}ms`;
      await this.#take(sessionId, name, `${name}${tail}`);
      await pause(this.#random() * 2 * PAUSE_MS);
    }
  }

  async #take(sessionId: string, name: string, text: string): Promise<void> {
    for (;;) {
      try {
        await this.#world.api.session.submit.mutate({ sessionId, text, clientKey: name });
        this.#acknowledged.add(name);
        return;
      } catch {
        await pause(100);
      }
    }
  }

  /** Sessions that neither come to rest nor get on: a long backlog takes its time on a busy machine. */
  async #settle(): Promise<string[]> {
    let restless: string[] = [];
    let waiting = Number.POSITIVE_INFINITY;
    for (let end = performance.now() + SETTLE_MS; performance.now() < end; await pause(50)) {
      const { sessions } = await this.#world.api.activity.get.query({});
      const own = sessions.filter((one) => this.#sessions.includes(one.id));
      const rests = (one: (typeof own)[number]) =>
        ['created', 'idle', 'waiting_for_input'].includes(one.state) &&
        one.liveness === 'live' &&
        one.foregroundActivity === null &&
        (one.queuedPromptCount === 0 || !one.autoRun);
      restless = own
        .filter((one) => !rests(one))
        .map((one) => `${one.id} is ${one.state}, ${one.queuedPromptCount} wait`);
      if (restless.length === 0) return [];
      const now = own.reduce((sum, one) => sum + one.queuedPromptCount, 0);
      if (now < waiting) end = performance.now() + SETTLE_MS;
      waiting = Math.min(waiting, now);
    }
    return restless;
  }

  async #parked(): Promise<string[]> {
    const lists = await Promise.all(this.#sessions.map((sessionId) => this.#world.api.queue.list.query({ sessionId })));
    return lists.flatMap((one) => one.entries.map((entry) => nameOf(entry.text)));
  }
}

/** The first line, which names a prompt. */
const nameOf = (text: string): string => text.split('\n')[0] ?? '';
