import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type ActivityEvent, createVigilClient, type VigilClient, watchActivity } from '@vigil/client';

const SOURCES = ['--import', 'tsx', fileURLToPath(new URL('../src/headless.ts', import.meta.url))];
const BUILT = [fileURLToPath(new URL('../dist/headless.mjs', import.meta.url))];

export interface ServerOptions {
  /** Content of the agents file, by agent id. */
  readonly agents?: Record<string, unknown>;
  readonly env?: Record<string, string>;
  /** A folder to start on again; a new one if not given. */
  readonly dataDir?: string;
  /** Runs what was built instead of the sources. */
  readonly built?: boolean;
}

/** A real server process on a free port, with a folder of its own. */
export interface Server {
  readonly url: string;
  readonly dataDir: string;
  readonly process: ChildProcess;
  readonly client: VigilClient;
  watch(taskId: string | undefined, onEvent: (event: ActivityEvent) => void): ReturnType<typeof watchActivity>;
  /** Ends it as an operator would; its folder goes with it unless it was given. */
  stop(): Promise<void>;
}

/** Starts a server and resolves when it says that it is ready. */
export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'vigil-server-')));
  const agentsFile = join(dataDir, 'agents.json');
  await writeFile(agentsFile, JSON.stringify({ agents: options.agents ?? {} }));
  const child = spawn(process.execPath, options.built ? BUILT : SOURCES, {
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      PORT: '0',
      VIGIL_DATA_DIR: join(dataDir, 'data'),
      VIGIL_AGENTS_FILE: agentsFile,
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const url = await readyUrl(child);
  const client = createVigilClient({ url });
  return {
    url,
    dataDir,
    process: child,
    client,
    watch: (taskId, onEvent) => watchActivity(client, { taskId, onEvent }),
    stop: async () => {
      await client.close();
      await ended(child);
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function readyUrl(child: ChildProcess): Promise<string> {
  const said: string[] = [];
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on('line', (line) => {
        said.push(line);
        const url = /ready at (http:\/\/[\w.:[\]-]+)/.exec(line)?.[1];
        if (url !== undefined) resolve(url);
      });
    }
    child.once('exit', (code, signal) => {
      reject(new Error(`the server ended before it was ready (${code ?? signal}):\n${said.slice(-20).join('\n')}`));
    });
  });
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
