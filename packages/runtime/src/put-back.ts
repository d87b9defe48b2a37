import type { SessionEntry } from './entries.ts';
import type { QueuedPrompt } from './prompt-queue.ts';
import type { Runtime } from './runtime.ts';

/**
 * Lets a prompt wait again that was being stored, changed or sent. False when the session was stopped meanwhile and it is
 * a wake-up: it is dropped, and its key tells so (S61).
 */
export function putBack(runtime: Runtime, entry: SessionEntry, prompt: QueuedPrompt): boolean {
  prompt.phase = 'waiting';
  if (!prompt.stopped) return true;
  entry.queue.remove(prompt);
  runtime.records.promptDropped(prompt, 'stopped');
  return false;
}

/** The session is stopped: what waits of its wake-ups does not run (S61), and its backlog is parked (S82). */
export function stopBacklog(runtime: Runtime, entry: SessionEntry): void {
  const { queue } = entry;
  queue.chosen = null;
  const wakeUps = queue.all.filter((prompt) => prompt.origin === 'wakeup');
  for (const prompt of wakeUps) {
    prompt.stopped = true;
    if (prompt.phase === 'waiting') putBack(runtime, entry, prompt);
  }
  if (queue.backlog.length > 0) parkBacklog(runtime, entry);
  if (wakeUps.length > 0 || queue.length > 0) runtime.board.touchQueue(entry);
}

/** Auto-run off: what waits is kept until an operator says so (S82). */
export function parkBacklog(runtime: Runtime, entry: SessionEntry): void {
  if (!entry.queue.autoRun) return;
  entry.queue.autoRun = false;
  runtime.records.sessionChanged(entry);
}
