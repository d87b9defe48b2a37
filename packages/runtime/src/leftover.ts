import { readdir, readFile } from 'node:fs/promises';
import type { ExecutionRow } from '@vigil/db';
import type { Log } from './deps.ts';

/** Agents and all that they start carry the id of their execution in their environment. */
export const EXECUTION_MARK = 'VIGIL_EXECUTION_ID';

const TERM_WITHIN_MS = 2_000;
const KILL_WITHIN_MS = 2_000;
const LOOK_EVERY_MS = 25;

/** One process for good: a pid is given again, together with its start time it is not. */
interface Leftover {
  readonly pid: number;
  readonly startTime: string;
}

/**
 * Ends what an earlier life of the server left of this execution (S141): its agent by pid *and* start time, and whatever
 * carries its mark, also where the agent itself is gone. A stranger that got the pid is never touched. True when nothing
 * of it is left.
 */
export async function endLeftover(row: ExecutionRow, log: Log): Promise<boolean> {
  let left = await find(row);
  if (left.length === 0) return true;
  log.warn(
    { executionId: row.id, pids: left.map((one) => one.pid) },
    'ending what an earlier life of an agent left behind',
  );
  for (const [signal, deadline] of [
    ['SIGTERM', TERM_WITHIN_MS],
    ['SIGKILL', KILL_WITHIN_MS],
  ] as const) {
    for (const one of left) send(one.pid, signal);
    left = await goneWithin(row, deadline);
    if (left.length === 0) return true;
  }
  return false;
}

async function find(row: ExecutionRow): Promise<Leftover[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(pids.map((pid) => recognise(pid, row)));
  return found.filter((one) => one !== null);
}

async function recognise(pid: number, row: ExecutionRow): Promise<Leftover | null> {
  if (pid === process.pid) return null;
  const startTime = await startTimeOf(pid);
  if (startTime === null) return null;
  const isAgent = pid === row.pid && startTime === row.processStartTime;
  return isAgent || (await carriesMark(pid, row.id)) ? { pid, startTime } : null;
}

async function carriesMark(pid: number, executionId: string): Promise<boolean> {
  try {
    return (await readFile(`/proc/${pid}/environ`, 'latin1')).split('\0').includes(`${EXECUTION_MARK}=${executionId}`);
  } catch {
    return false;
  }
}

function send(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone.
  }
}

async function goneWithin(row: ExecutionRow, ms: number): Promise<Leftover[]> {
  for (const until = performance.now() + ms; ; ) {
    const left = await find(row);
    if (left.length === 0 || performance.now() > until) return left;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

/** Field 22 of /proc/pid/stat, in clock ticks since boot; null when there is no such process, or only its zombie. */
export async function startTimeOf(pid: number): Promise<string | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The command in parentheses may itself hold spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}
