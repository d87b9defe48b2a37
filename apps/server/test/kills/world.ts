import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeDataFolder, ownTestPostgres, type PostgresServer } from '@vigil/db/testing';
import { mockAgentPath } from '@vigil/mock-agent';
import { type Server, startServer } from '../server-process.ts';
import { Witness } from './witness.ts';

export type Kind = 'embedded' | 'postgres';
export type SessionView = Awaited<ReturnType<Server['client']['api']['activity']['get']['query']>>['sessions'][number];

const TAP = fileURLToPath(new URL('./tap.mjs', import.meta.url));
const HUNG = fileURLToPath(new URL('../hung-agent.mjs', import.meta.url));
const PORT_FIRST = 20_000;
/** Places where an agent can be held, by the id of the agent that is. */
const HOLDS = { 'hold-up': 'up', 'hold-new': 'session/new', 'hold-prompt': 'session/prompt' };

export interface WorldOptions {
  readonly kind: Kind;
  /** Runs the built server; otherwise the sources. */
  readonly built?: boolean;
  /** Holds the data folder; a new one if not given. */
  readonly dataDir?: string;
}

/** One server after another on one database, with agents that write down what reaches them. */
export class World {
  readonly kind: Kind;
  readonly witness: Witness;
  readonly postgres: PostgresServer | null;
  readonly folder: string;
  readonly #options: WorldOptions;
  /** The same for every life, so that clients find the next one. */
  readonly #port = PORT_FIRST + Math.floor(Math.random() * 10_000);
  #server: Server | null = null;

  private constructor(options: WorldOptions, postgres: PostgresServer | null) {
    this.kind = options.kind;
    this.postgres = postgres;
    this.#options = options;
    this.folder = mkdtempSync(join(tmpdir(), 'vigil-kills-'));
    this.witness = new Witness(join(this.folder, 'tap.ndjson'));
  }

  /** Null where there are no Postgres programs. */
  static async start(options: WorldOptions): Promise<World | null> {
    const postgres = options.kind === 'postgres' ? await ownTestPostgres() : null;
    if (options.kind === 'postgres' && postgres === null) return null;
    const world = new World(options, postgres);
    if (options.kind === 'embedded') await makeDataFolder(join(world.#home, 'data'));
    await world.boot();
    return world;
  }

  get server(): Server {
    if (this.#server === null) throw new Error('expected a server that runs');
    return this.#server;
  }

  get api(): Server['client']['api'] {
    return this.server.client.api;
  }

  get #home(): string {
    return this.#options.dataDir ?? join(this.folder, 'life');
  }

  async boot(): Promise<void> {
    const { built = false } = this.#options;
    const dataDir = this.#home;
    mkdirSync(dataDir, { recursive: true });
    this.#server = await startServer({
      dataDir,
      built,
      agents: this.#agents(),
      env: {
        PORT: String(this.#port),
        LOG_LEVEL: 'error',
        VIGIL_MOCK_PROVIDER: 'on',
        VIGIL_FEATURES_CLAUDE_BACKGROUND_PROMPT_HANDOFF: 'on',
        ...(this.postgres === null ? {} : { DATABASE_URL: this.postgres.url }),
      },
    });
  }

  /** Kills the server and starts the next; answers the ms from the kill until the truth was back. */
  async killServer(): Promise<number> {
    const { server } = this;
    const since = performance.now();
    const exit = once(server.process, 'exit');
    server.process.kill('SIGKILL');
    await exit;
    await server.client.close();
    await this.boot();
    await this.truth();
    return performance.now() - since;
  }

  /** Resolves once the server is ready, saves, and knows of every session how it is. */
  async truth(): Promise<void> {
    for (const end = performance.now() + 120_000; performance.now() < end; await pause(25)) {
      const answer = await fetch(`${this.server.url}/api/ready`).then(
        (one) => one.json(),
        () => null,
      );
      if (answer?.ready !== true || answer.reason !== null) continue;
      const { sessions } = await this.api.activity.get.query({});
      if (sessions.every((session) => session.liveness === 'live')) return;
    }
    throw new Error('expected the truth to be back within 120 s');
  }

  /** Resolves once the server says that it is not saving. */
  async saysNotSaving(): Promise<void> {
    for (const end = performance.now() + 60_000; performance.now() < end; await pause(20)) {
      const answer = await fetch(`${this.server.url}/api/ready`).then(
        (one) => one.json(),
        () => null,
      );
      if (answer === null || (answer.ready === true && answer.reason === null)) continue;
      // Clients are told the same as who watches the server.
      if (!(await this.api.server.info.query()).saving) return;
    }
    throw new Error('expected the server to say within 60 s that it is not saving');
  }

  async session(agentId: string): Promise<SessionView> {
    const task = await this.api.task.create.mutate({ title: agentId });
    return this.api.session.create.mutate({ taskId: task.id, agentId });
  }

  async read(sessionId: string): Promise<SessionView> {
    return (await this.api.session.get.query({ sessionId })).session;
  }

  /** Resolves with the session once it is as asked. */
  async until(sessionId: string, is: (session: SessionView) => boolean): Promise<SessionView> {
    let last: SessionView | null = null;
    for (const end = performance.now() + 30_000; performance.now() < end; await pause(25)) {
      last = await this.read(sessionId);
      if (is(last)) return last;
    }
    throw new Error(`expected another state of the session within 30 s, got ${JSON.stringify(last)}`);
  }

  async end(): Promise<void> {
    await this.#server?.stop();
    await this.postgres?.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #agents(): Record<string, unknown> {
    const held = Object.entries(HOLDS).map(([id, what]) => [
      id,
      this.#tapped({ TAP_HOLD: what, TAP_HELD: join(this.folder, id) }),
    ]);
    const hung = { command: process.execPath, args: [HUNG], env: { TAP_LOG: this.witness.log } };
    return { mock: this.#tapped({}), ...Object.fromEntries(held), hung };
  }

  #tapped(env: Record<string, string>): unknown {
    const gates = join(this.folder, 'gates');
    mkdirSync(gates, { recursive: true });
    return {
      provider: 'mock',
      command: process.execPath,
      args: ['--import', TAP, mockAgentPath()],
      env: { TAP_LOG: this.witness.log, MOCK_AGENT_CONTROL_DIR: gates, ...env },
    };
  }
}
