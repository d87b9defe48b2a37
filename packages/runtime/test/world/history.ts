import { writeSync } from 'node:fs';
import type fc from 'fast-check';
import { Agents } from './agents.ts';
import { audit } from './audit.ts';
import { act, cancel, create, reconcile, taskDeleted } from './operators.ts';
import type { Plan, Step } from './plans.ts';
import { idle } from './provider.ts';
import { BoardReader, SessionReader } from './reader.ts';
import { World } from './world.ts';

const ROUNDS = 40;

/** Plays one history to its end and checks what must hold of it; throws with what does not. */
export class History {
  readonly world: World;
  #boards: BoardReader[] = [];
  #sessions: SessionReader[] = [];

  constructor(scheduler: fc.Scheduler, plan: Plan) {
    this.world = new World(scheduler, plan, (world) => new Agents(world));
  }

  static async play(scheduler: fc.Scheduler, plan: Plan): Promise<History> {
    const history = new History(scheduler, plan);
    history.world.clock.install();
    try {
      await history.#play();
    } finally {
      history.world.clock.uninstall();
    }
    return history;
  }

  async #play(): Promise<void> {
    const { world } = this;
    await this.#begin();
    for (const step of world.plan.steps) {
      if (process.env.WORLD_LOG) writeSync(2, `  ${JSON.stringify(step)} ${world.scheduler.count()}\n`);
      await this.#step(step);
      this.#check(`after ${step.kind}`);
    }
    await this.#finish();
    await this.#remove();
  }

  #check(when: string): void {
    const { violations } = this.world;
    if (violations.length === 0) return;
    throw new Error(`${when}:\n${[...new Set(violations)].slice(0, 8).join('\n')}`);
  }

  /** Two tasks, three sessions, in good weather. */
  async #begin(): Promise<void> {
    const { world } = this;
    world.weather.calm = true;
    await world.start();
    for (const round of [0, 1]) {
      for (const slot of world.slots) {
        create(world, slot);
        await world.run();
      }
      if (round === 1) continue;
    }
    world.weather.calm = false;
    this.#watchBoards();
  }

  #watchBoards(): void {
    this.#boards = [new BoardReader(this.world, false), new BoardReader(this.world, true)];
    this.#sessions = [];
  }

  async #step(step: Step): Promise<void> {
    const { world } = this;
    if (step.kind === 'audit') return this.#audit(false);
    if (step.kind === 'watch') this.#watch(step);
    const { life } = world;
    await reconcile(world);
    await act(world, step);
    if (world.life !== life) this.#watchBoards();
    await world.run(step.due);
  }

  #watch(step: Step): void {
    const { world } = this;
    const sessionId = world.slots[step.a % world.slots.length]?.sessionId;
    if (sessionId == null) return;
    const watched = this.#sessions.find((one) => one.sessionId === sessionId && !one.over);
    if (watched) watched.leave();
    else this.#sessions.push(new SessionReader(world, sessionId));
  }

  /** The weather clears, what is due happens, writes get through. */
  async #audit(final: boolean): Promise<void> {
    const { world } = this;
    const { down, calm } = world.weather;
    world.weather.down = false;
    world.weather.calm = true;
    await world.run();
    await world.advance(6_000);
    await audit(world, { boards: this.#boards, sessions: this.#sessions }, final);
    world.weather.down = down;
    world.weather.calm = calm;
  }

  /** From now on everybody behaves; all must come to rest, and every backlog must run out. */
  async #finish(): Promise<void> {
    const { world } = this;
    world.calm = true;
    world.weather.calm = true;
    world.weather.down = false;
    for (const one of world.processes) one.tame();
    await world.run();
    await world.advance(12_000);
    let restless = '';
    for (let round = 0; round < ROUNDS; round += 1) {
      restless = await this.#round(round);
      this.#check('while it comes to rest');
      if (restless === '') break;
    }
    if (restless !== '') world.fail('S81', `does not come to rest: ${restless}`);
    await this.#audit(true);
    if (world.calls.size > 0) world.fail('deadlock', `never answered: ${[...world.calls].map((one) => one.name)}`);
    this.#check('at the end');
  }

  /** What still has to come to rest; '' when nothing has. */
  async #round(round: number): Promise<string> {
    const { world } = this;
    const { vigil } = world;
    for (const task of (await vigil.listTasks({ archived: true })).tasks) {
      world.call('unarchive', vigil.unarchiveTask(task.id));
    }
    await world.run();
    let restless = world.calls.size > 0 ? `calls ${[...world.calls].map((one) => one.name)}` : '';
    for (const session of vigil.activitySnapshot().sessions) {
      const { id: sessionId } = session;
      for (const { id: requestId } of session.pendingRequests)
        world.call('respond', vigil.respond({ sessionId, requestId, outcome: { cancelled: true } }));
      const backlog = session.queuedPromptCount > 0 && session.state !== 'cancelled';
      if (backlog && !session.autoRun) world.call('auto-run', vigil.setAutoRun({ sessionId, on: true }));
      const works = session.generation !== null;
      if (works && round % 4 === 2) cancel(world, world.slotOf(session.agentId));
      const waits = session.inputMode === 'queue' || session.liveness === 'unknown';
      if (backlog || works || waits) restless = `${JSON.stringify(session)}`;
    }
    for (const process of world.processes)
      if (process.alive && process.openPrompts.length === 0) process.say(idle(process));
    await world.run();
    if (restless !== '') await world.advance(6_000);
    return restless;
  }

  /** Everything is deleted; nothing may be left of it (S111, P7). */
  async #remove(): Promise<void> {
    const { world } = this;
    const { vigil } = world;
    for (const session of this.#sessions) session.leave();
    const all = [...(await vigil.listTasks({})).tasks, ...(await vigil.listTasks({ archived: true })).tasks];
    for (const { id } of all) world.call('delete', vigil.deleteTask(id), { ok: () => taskDeleted(world, id) });
    await world.run();
    await world.advance(6_000);
    const { subscribers, ...kept } = vigil.retained();
    const none = { known: 0, executions: 0, deadlines: 0, writes: 0 };
    if (JSON.stringify(kept) !== JSON.stringify(none)) world.fail('P7', `retained: ${JSON.stringify(kept)}`);
    if (subscribers !== this.#boards.length) world.fail('P7', `${subscribers} subscribers are left`);
    // The watch for stalls goes on as long as the server runs.
    if (world.clock.waiting !== 1) world.fail('P7', `${world.clock.waiting - 1} timers are left`);
    const alive = world.processes.filter((one) => one.alive);
    if (alive.length > 0) world.fail('P7', `${alive.length} agents are left`);
    for (const rows of [world.store.sessions, world.store.prompts, world.store.executions, world.store.messages])
      if (rows.size > 0) world.fail('P7', `${rows.size} rows are left`);
    await world.stop();
    if (world.clock.waiting !== 0) world.fail('P7', 'timers are left after the server stopped');
    this.#check('after everything was deleted');
  }
}
