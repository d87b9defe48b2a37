import { createHash } from 'node:crypto';
import { realpathSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseError } from './errors.ts';

/** Ownership of a data folder. */
export interface FolderLock {
  release(): Promise<void>;
}

const ATTEMPTS = 5;
const ANSWER_WITHIN_MS = 2_000;

/**
 * Takes the folder for this process, or fails with `data_folder_locked`, naming the owner. The lock is a listening
 * socket, which the operating system closes with the process however it ends. It holds on one machine and, on Linux,
 * in one network namespace: two containers that share a folder do not see each other.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const path = realpathSync(folder);
  const address = addressOf(path);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const server = await listen(address, JSON.stringify({ pid: process.pid, folder: path }));
    if (server !== null) return { release: () => close(server) };
    const owner = await ask(address);
    if (owner !== null) throw locked(path, owner);
    // Nobody answers: a file left by a process that was killed, or an owner that has just gone.
    if (address.startsWith(tmpdir())) rmSync(address, { force: true });
  }
  throw locked(path, 'unknown');
}

function addressOf(path: string): string {
  const name = `vigil-${createHash('sha256').update(path).digest('hex').slice(0, 32)}`;
  if (process.platform === 'linux') return `\0${name}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  return join(tmpdir(), `${name}.sock`);
}

/** Null when the address is taken. */
function listen(address: string, introduction: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.end(introduction);
    });
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(null);
      else reject(error);
    });
    server.listen(address, () => {
      server.unref();
      resolve(server);
    });
  });
}

/** What the owner says of itself; null when nobody listens. */
function ask(address: string): Promise<string | null> {
  return new Promise((resolve) => {
    let said = '';
    const socket = createConnection(address);
    socket.setTimeout(ANSWER_WITHIN_MS, () => socket.destroy());
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      said += chunk;
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve(null);
    });
    socket.on('close', () => resolve(pidIn(said)));
  });
}

function pidIn(said: string): string {
  return /"pid":(\d+)/.exec(said)?.[1] ?? 'unknown';
}

function locked(path: string, pid: string): DatabaseError {
  return new DatabaseError(
    'data_folder_locked',
    `Expected the data folder ${path} to be free; process ${pid} uses it. Stop that process, or choose another folder with VIGIL_DATA_DIR.`,
  );
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
