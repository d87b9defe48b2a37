import type { ExecutionRow } from '@vigil/db';
import { endLeftovers as endByProc } from './leftover.ts';
import type { Runtime } from './runtime.ts';

const AGAIN_AFTER_MS = 5_000;

/** Keeps what a boot could not end, and tries again until it is gone; its session takes no prompt until then (S9). */
export function keepSurvivors(runtime: Runtime, rows: readonly ExecutionRow[]): void {
  for (const row of rows) runtime.survivors.set(row.sessionId, [...(runtime.survivors.get(row.sessionId) ?? []), row]);
  for (const sessionId of runtime.survivors.keys()) accountLater(runtime, sessionId);
}

function accountLater(runtime: Runtime, sessionId: string): void {
  const timer = setTimeout(() => {
    account(runtime, sessionId).then(
      (gone) => {
        if (!gone && !runtime.closing) accountLater(runtime, sessionId);
      },
      (err: unknown) => runtime.deps.log.error({ err, sessionId }, 'could not look for an agent that was left'),
    );
  }, AGAIN_AFTER_MS);
  timer.unref();
}

/** Ends what an earlier life of the server left of the session; true when nothing of it lives any more. */
export async function account(runtime: Runtime, sessionId: string): Promise<boolean> {
  const { board, deps, survivors, records } = runtime;
  const rows = survivors.get(sessionId);
  if (rows === undefined) return true;
  const { endLeftovers = endByProc } = deps;
  const left = await endLeftovers(rows, deps.log);
  // Another caller may have been faster.
  if (runtime.closing || survivors.get(sessionId) !== rows) return !survivors.has(sessionId);
  const at = deps.now();
  for (const { id } of rows.filter((row) => !left.has(row.id)))
    records.executionEnded(id, { cause: 'stopped', endedAt: new Date(at).toISOString(), error: null });
  if (left.size > 0) {
    survivors.set(
      sessionId,
      rows.filter((row) => left.has(row.id)),
    );
    return false;
  }
  survivors.delete(sessionId);
  board.tracker.apply({ type: 'session.accounted', sessionId, at });
  return true;
}
