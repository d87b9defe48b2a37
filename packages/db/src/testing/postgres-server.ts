import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chownSync,
  constants,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { type Guard, type Power, powerOf } from './postgres-power.ts';

/** A throwaway Postgres server. */
export interface PostgresServer extends Power {
  readonly url: string;
  stop(): Promise<void>;
}

const ATTEMPTS = 3;
const DEBIAN = '/usr/lib/postgresql';
/** Nothing survives the test run, so nothing needs to reach the disk. */
// What is committed must outlive a kill of its processes, so commits are synchronous; the machine is not killed.
const FAST = ['fsync=off', 'full_page_writes=off', 'autovacuum=off', 'shared_buffers=32MB'];

/**
 * Runs the server until its input ends, which it does with the test process however that dies, and then takes its
 * folder away. A line of input starts a server that has crashed again.
 */
const GUARDED =
  '"$@" & server=$!; while read -r again; do wait $server; "$@" & server=$!; done; kill -INT $server; wait $server; rm -rf "$FOLDER"';

/** The folder of the newest installed Postgres programs; null when there are none. */
export function postgresPrograms(): string | null {
  const newestFirst = (a: string, b: string): number => Number.parseFloat(b) - Number.parseFloat(a);
  const debian = entriesOf(DEBIAN)
    .sort(newestFirst)
    .map((version) => join(DEBIAN, version, 'bin'));
  const folders = [...debian, ...(process.env.PATH ?? '').split(delimiter)];
  return folders.find((folder) => isProgram(join(folder, 'initdb')) && isProgram(join(folder, 'postgres'))) ?? null;
}

/** Makes a cluster in a temporary folder and starts it on a free port of the loopback interface. */
export async function startPostgres(programs: string): Promise<PostgresServer> {
  const user = unprivileged();
  const folder = mkdtempSync(join(tmpdir(), 'vigil-postgres-'));
  const password = randomBytes(16).toString('hex');
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user !== null) for (const path of [folder, passwordFile]) chownSync(path, user.uid, user.gid);
  const data = join(folder, 'data');
  const options = { cwd: folder, env: { ...process.env, LC_ALL: 'C', FOLDER: folder }, ...user };
  try {
    await promisify(execFile)(
      join(programs, 'initdb'),
      ['-D', data, '-U', 'vigil', '-A', 'password', `--pwfile=${passwordFile}`, '-E', 'UTF8', '--no-sync'],
      options,
    );
    for (let attempt = 1; ; attempt++) {
      const port = await freePort();
      const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', ...FAST];
      const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
      const guard = spawn('/bin/sh', ['-c', GUARDED, 'sh', join(programs, 'postgres'), ...args], {
        ...options,
        detached: true,
        stdio: ['pipe', 'ignore', 'pipe'],
      });
      const failure = await readiness(guard);
      const url = `postgres://vigil:${password}@127.0.0.1:${port}/postgres`;
      if (failure === null) return { url, stop: () => stop(guard, folder), ...powerOf(guard, data) };
      guard.stdin.end();
      // Another process may have taken the port in between.
      if (attempt === ATTEMPTS || !failure.includes('in use')) throw new Error(`Postgres did not start: ${failure}`);
    }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Null once it accepts connections, otherwise what it said before it ended. */
function readiness(server: Guard): Promise<string | null> {
  return new Promise((resolve) => {
    let said = '';
    server.stderr.on('data', (chunk: Buffer) => {
      // Read on for as long as it runs, because a full pipe would stop it.
      if (said.length < 100_000) said += chunk.toString();
      if (said.includes('ready to accept connections')) resolve(null);
      else if (/FATAL:.*\n/.test(said)) resolve(said);
    });
    server.on('error', (error) => resolve(error.message));
    server.on('exit', () => resolve(said));
  });
}

function stop(guard: Guard, folder: string): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      rmSync(folder, { recursive: true, force: true });
      resolve();
    };
    if (guard.exitCode !== null || guard.signalCode !== null) return done();
    guard.once('exit', done);
    guard.stdin.end();
  });
}

/** Postgres refuses to run as root: the user to run it as instead, or null when we are not root. */
function unprivileged(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  return { uid: 65_534, gid: 65_534 };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
