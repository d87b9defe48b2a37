import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createVigilClient, type VigilClient } from '@vigil/client';
import { MockControl } from './mock-control.ts';

const ENTRY = fileURLToPath(new URL('../../apps/server/dist/main.mjs', import.meta.url));
const KEPT_LINES = 30;

export interface ServerOptions {
  readonly args?: readonly string[];
}

/** The built server as a real process, with a port, a folder and mock agents of its own. */
export class ServerProcess {
  readonly url: string;
  readonly mock: MockControl;
  readonly client: VigilClient;
  readonly #port: number;
  readonly #folder: string;
  readonly #args: readonly string[];
  #child: ChildProcess | undefined;

  private constructor({ ports, folder, args }: { ports: [number, number]; folder: string; args: readonly string[] }) {
    this.#port = ports[0];
    this.#folder = folder;
    this.#args = args;
    this.url = `http://127.0.0.1:${this.#port}`;
    this.mock = new MockControl(ports[1]);
    this.client = createVigilClient({ url: this.url });
  }

  /** Resolves when the server says that it is ready. */
  static async start({ args = [] }: ServerOptions = {}): Promise<ServerProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'vigil-e2e-'));
    const server = new ServerProcess({ ports: await freePorts(), folder, args });
    await server.start();
    return server;
  }

  /** Starts it, again after a stop: on the same port and folder. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [ENTRY, ...this.#args], {
      cwd: this.#folder,
      env: {
        PATH: process.env.PATH ?? '',
        HOME: this.#folder,
        NODE_ENV: 'production',
        PORT: String(this.#port),
        VIGIL_DATA_DIR: join(this.#folder, 'data'),
        VIGIL_MOCK_PROVIDER: 'on',
        MOCK_AGENT_CONTROL_PORT: String(this.mock.port),
        LOG_LEVEL: 'warn',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    await ready(child);
  }

  /** Ends it as an operator would. */
  async stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGCONT');
    child.kill('SIGTERM');
    await ended;
  }

  /** Stops the process without a word to anyone: its sockets stay open and silent. */
  freeze(): void {
    this.#child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#child?.kill('SIGCONT');
  }

  /** Ends it and removes its folder. */
  async remove(): Promise<void> {
    await this.client.close();
    await this.stop();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function ready(child: ChildProcess): Promise<void> {
  const said: string[] = [];
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on('line', (line) => {
        said.push(line);
        if (said.length > KEPT_LINES) said.shift();
        if (line.includes('ready at http://')) resolve();
      });
    }
    child.once('exit', (code, signal) => {
      reject(new Error(`The server ended before it was ready (${code ?? signal}):\n${said.join('\n')}`));
    });
  });
}

/** Two ports that were free a moment ago. Both are held until both are known, so that they differ. */
async function freePorts(): Promise<[number, number]> {
  const servers = [createServer(), createServer()] as const;
  const [first, second] = servers.map(
    (server) =>
      new Promise<number>((resolve, reject) => {
        server.once('error', reject);
        server.listen(0, '127.0.0.1', () => {
          const address = server.address();
          if (address === null || typeof address === 'string') reject(new Error('Expected a port'));
          else resolve(address.port);
        });
      }),
  );
  const ports: [number, number] = [(await first) ?? 0, (await second) ?? 0];
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
