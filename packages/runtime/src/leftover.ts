import { readFile } from 'node:fs/promises';
import type { ExecutionRow } from '@vigil/db';
import type { Log } from './deps.ts';

const TERM_WITHIN_MS = 2_000;
const KILL_WITHIN_MS = 2_000;
const LOOK_EVERY_MS = 25;

/**
 * Ends an agent that an earlier life of the server left behind (S141). It is matched by pid *and* start time, so that a
 * stranger that got the pid is never touched. True when nothing of it is left.
 */
export async function endLeftover(row: ExecutionRow, log: Log): Promise<boolean> {
  const { pid, processStartTime } = row;
  if (pid === null || processStartTime === null) return true;
  if ((await startTimeOf(pid)) !== processStartTime) return true;
  log.warn({ executionId: row.id, pid }, 'ending an agent that an earlier life left behind');
  const isGone = async () => (await startTimeOf(pid)) !== processStartTime;
  send(pid, 'SIGTERM');
  if (await within(isGone, TERM_WITHIN_MS)) return true;
  send(pid, 'SIGKILL');
  return within(isGone, KILL_WITHIN_MS);
}

/** Agents lead their own process group; what is left of it goes with them. */
function send(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, signal);
    } catch {
      // It is gone, or leads no group.
    }
  }
}

async function within(done: () => Promise<boolean>, ms: number): Promise<boolean> {
  for (let waited = 0; waited < ms; waited += LOOK_EVERY_MS) {
    if (await done()) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return done();
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
