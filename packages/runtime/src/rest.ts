import type { SessionEntry } from './entries.ts';
import type { Runtime } from './runtime.ts';

/** Frees the memory of a session that nothing serves and nobody watches, once its transcript is written. */
export async function rest(runtime: Runtime, entry: SessionEntry): Promise<void> {
  while (isAtRest(runtime, entry)) {
    // In one step with the release: what is put meanwhile would not be read again.
    if (!runtime.records.isWriting(entry.id)) {
      entry.transcript.release();
      return;
    }
    await runtime.records.flush();
  }
}

function isAtRest(runtime: Runtime, entry: SessionEntry): boolean {
  if (entry.audience.size > 0 || entry.queue.reserved !== undefined) return false;
  // One that would not end yet still speaks, though another has served since.
  return ![...runtime.executions.values()].some((execution) => execution.entry === entry);
}
