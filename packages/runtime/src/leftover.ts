import { processTable, type SeenProcess } from '@vigil/acp';
import type { ExecutionRow } from '@vigil/db';
import type { Log } from './deps.ts';

const TERM_WITHIN_MS = 2_000;
const KILL_WITHIN_MS = 2_000;
const LOOK_EVERY_MS = 25;

/** Processes of executions, by the id of the execution. */
type Left = ReadonlyMap<string, readonly SeenProcess[]>;

/**
 * Ends what an earlier life of the server left of these executions (S141): an agent by pid *and* start time, and whatever
 * carries its mark, also where the agent itself is gone. A stranger that got the pid is never touched. The processes of
 * the machine are read once for all executions. Answers the ids of those of which something is left.
 */
export async function endLeftovers(rows: readonly ExecutionRow[], log: Log): Promise<ReadonlySet<string>> {
  let left = await find(rows);
  for (const [executionId, found] of left) {
    const pids = found.map((one) => one.pid);
    log.warn({ executionId, pids }, 'ending what an earlier life of an agent left behind');
  }
  for (const [signal, deadline] of [
    ['SIGTERM', TERM_WITHIN_MS],
    ['SIGKILL', KILL_WITHIN_MS],
  ] as const) {
    if (left.size === 0) break;
    for (const found of left.values()) for (const one of found) send(one.pid, signal);
    left = await goneWithin(rows, deadline);
  }
  return new Set(left.keys());
}

async function find(rows: readonly ExecutionRow[]): Promise<Left> {
  if (rows.length === 0) return new Map();
  const ids = new Set(rows.map((row) => row.id));
  const byProcess = new Map(rows.map((row) => [`${row.pid} ${row.processStartTime}`, row.id]));
  const left = new Map<string, SeenProcess[]>();
  for (const one of await processTable.read()) {
    if (one.pid === process.pid) continue;
    const marked = one.execution !== null && ids.has(one.execution) ? one.execution : undefined;
    const id = byProcess.get(`${one.pid} ${one.startTime}`) ?? marked;
    if (id !== undefined) left.set(id, [...(left.get(id) ?? []), one]);
  }
  return left;
}

function send(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone.
  }
}

async function goneWithin(rows: readonly ExecutionRow[], ms: number): Promise<Left> {
  for (const until = performance.now() + ms; ; ) {
    const left = await find(rows);
    if (left.size === 0 || performance.now() > until) return left;
    // No child of ours, so nothing tells its end but the table of processes.
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
