import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_EVERY_MS = 20;

export type Guard = ChildProcess & { stdin: NodeJS.WritableStream; stderr: NodeJS.ReadableStream };

/** What a test may do to the server of a guard (Linux). */
export interface Power {
  /** Kills it with all its sessions, as a failing machine would; its data stay. */
  crash(): Promise<void>;
  /** Starts it again on its data, after a crash. */
  revive(): Promise<void>;
  /** Stops all its processes where they are, so that it answers nothing and breaks no line; or lets them go on. */
  freeze(on: boolean): void;
}

export function powerOf(guard: Guard, data: string): Power {
  return {
    async crash() {
      const all = family(data);
      for (const pid of all) send(pid, 'SIGKILL');
      // The next one refuses to start while a session of this one still holds its memory.
      while (all.some(lives)) await pause(LOOK_EVERY_MS);
    },
    async revive() {
      const ready = new Promise<void>((resolve) => {
        const listen = (chunk: Buffer) => {
          if (!chunk.toString().includes('ready to accept connections')) return;
          guard.stderr.off('data', listen);
          resolve();
        };
        guard.stderr.on('data', listen);
      });
      guard.stdin.write('again\n');
      await ready;
    },
    freeze(on) {
      for (const pid of family(data)) send(pid, on ? 'SIGSTOP' : 'SIGCONT');
    },
  };
}

/** The server's first process and its children, which lead sessions of their own. */
function family(data: string): number[] {
  const first = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return [first, ...all.map(Number).filter((pid) => parentOf(pid) === first)];
}

function parentOf(pid: number): number | null {
  const [state, parent] = statOf(pid);
  return state === undefined || state === 'Z' ? null : Number(parent);
}

const lives = (pid: number): boolean => !['Z', undefined].includes(statOf(pid)[0]);

function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone.
  }
}
