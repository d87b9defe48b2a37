import type { ExecutionRow } from '@vigil/db';
import { endLeftovers as endByProc } from './leftover.ts';
import type { Runtime } from './runtime.ts';

const AGAIN_AFTER_MS = 5_000;

/** Tries again until what an earlier life left is gone; its session takes no prompt until then (S9). */
export function accountLater(runtime: Runtime, row: ExecutionRow): void {
  runtime.leftovers.set(row.id, row);
  const timer = setTimeout(() => {
    void account(runtime, row).then((gone) => {
      if (!gone && !runtime.closing && runtime.leftovers.has(row.id)) accountLater(runtime, row);
    });
  }, AGAIN_AFTER_MS);
  timer.unref();
}

/** Ends what an earlier life left of this session; false when something of it is still there (S114). */
export async function accountFor(runtime: Runtime, sessionId: string): Promise<boolean> {
  const rows = [...runtime.leftovers.values()].filter((row) => row.sessionId === sessionId);
  const gone = await Promise.all(rows.map((row) => account(runtime, row)));
  return gone.every(Boolean);
}

async function account(runtime: Runtime, row: ExecutionRow): Promise<boolean> {
  const { board, deps, leftovers } = runtime;
  const { endLeftovers = endByProc } = deps;
  const left = await endLeftovers([row], deps.log);
  if (left.size > 0) return false;
  if (!leftovers.delete(row.id) || runtime.closing) return true;
  const endedAt = new Date(deps.now()).toISOString();
  runtime.records.executionEnded(row.id, { cause: 'stopped', endedAt, error: null });
  const { sessionId } = row;
  if ([...leftovers.values()].some((other) => other.sessionId === sessionId)) return true;
  board.tracker.apply({ type: 'session.accounted', sessionId, at: deps.now() });
  return true;
}
