import type { SessionEntry } from './entries.ts';
import type { QueuedPrompt } from './prompt-queue.ts';
import type { Runtime } from './runtime.ts';

/**
 * A wake-up that waits when the session is stopped does not run, nor does one that is being stored, changed or sent then:
 * its key tells so (S61).
 */
export function dropWakeUps(runtime: Runtime, entry: SessionEntry): boolean {
  const { queue } = entry;
  for (const prompt of queue.comingWakeUps) prompt.stopped = true;
  const waiting = queue.waiting.filter((one) => one.origin === 'wakeup' && one.phase === 'waiting');
  for (const prompt of waiting) drop(runtime, entry, prompt);
  return waiting.length > 0;
}

/** From now on the prompt waits, as the world sees it; false for one that was stopped meanwhile, which is dropped. */
export function waits(runtime: Runtime, entry: SessionEntry, prompt: QueuedPrompt): boolean {
  prompt.phase = 'waiting';
  if (prompt.stopped !== true) return true;
  drop(runtime, entry, prompt);
  return false;
}

function drop(runtime: Runtime, { queue }: SessionEntry, prompt: QueuedPrompt): void {
  queue.remove(prompt);
  runtime.records.promptDropped(prompt, 'stopped');
}
