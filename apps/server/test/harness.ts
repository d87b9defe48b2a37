import { createVigilClient, type VigilClient, type VigilClientOptions } from '@vigil/client';
import { pino } from 'pino';
import type { Config } from '../src/config.ts';
import { type RunningServer, startServer } from '../src/server.ts';
import { FakeVigil, Rows, useCases } from './fake-vigil.ts';

export const testConfig: Config = {
  host: '127.0.0.1',
  port: 0,
  dataDir: '/nowhere',
  databaseUrl: null,
  agentsFile: null,
  mockProvider: false,
  features: { handoff: null, reported: null },
  stallAfterMs: 300_000,
  startTimeoutMs: 60_000,
  settleAfterMs: 2_000,
  idleStopAfterMs: undefined,
  logLevel: 'silent',
  mode: 'production',
  demo: false,
};

export const silent = pino({ level: 'silent' });

/** A real server on a real port over a fake Vigil; ends with the scope that `using` it opened. */
export class TestServer implements AsyncDisposable {
  readonly rows = new Rows();
  fake: FakeVigil;
  #server: RunningServer | null = null;
  #port = 0;
  readonly #clients: VigilClient[] = [];

  private constructor() {
    this.fake = new FakeVigil(this.rows);
  }

  static async start(): Promise<TestServer> {
    const server = new TestServer();
    await server.#boot();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get port(): number {
    return this.#port;
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
    this.#server = null;
  }

  /** Another boot on the same port, with another epoch and the same rows. */
  async boot(): Promise<void> {
    this.fake = new FakeVigil(this.rows);
    await this.#boot();
  }

  client(options: VigilClientOptions = {}): VigilClient {
    const client = createVigilClient({ url: this.url, retryDelayMs: () => 20, ...options });
    this.#clients.push(client);
    return client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
    await this.stop();
  }

  async #boot(): Promise<void> {
    const { fake } = this;
    this.#server = await startServer({
      config: { ...testConfig, port: this.#port },
      log: silent,
      compose: async () => ({ vigil: useCases(fake), close: async () => true }),
      mountWeb: null,
      onLost: () => {},
    });
    this.#port = Number(new URL(this.#server.url).port);
  }
}
