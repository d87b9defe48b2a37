import { cancelTurn } from './cancel.ts';
import { drain } from './drain.ts';
import type { SessionEntry } from './entries.ts';
import { VigilError } from './errors.ts';
import type { QueuedPrompt } from './prompt-queue.ts';
import { waitingPrompt } from './queue-edit.ts';
import type { Runtime } from './runtime.ts';
import { checkOpen, refused } from './submit.ts';
import type { Queue } from './types.ts';

/**
 * Sends one prompt of the queue before all others: at once where the session is free, else in the place of the turn at
 * work, which is cancelled. With a generation only that turn is replaced; `turn_changed` when another is at work. The rest
 * of the queue, its auto-run and the places stay as they are (S82).
 */
export function sendNow(
  runtime: Runtime,
  input: { sessionId: string; messageId: string; generation?: number | undefined },
): Promise<Queue> {
  const entry = runtime.board.session(input.sessionId);
  return entry.lane.run(async () => {
    await entry.transcript.ready();
    const prompt = waitingPrompt(entry, input.messageId);
    checkChoice(runtime, entry, { prompt, generation: input.generation });
    const { queue, shown } = entry;
    queue.chosen = prompt;
    queue.heldBack = false;
    // A wake-up never takes a handoff (S61).
    const free = shown.inputMode === 'direct' && (prompt.origin === 'human' || shown.state !== 'running');
    if (free) dispatchNow(runtime, entry, prompt);
    else {
      prompt.reason = 'stopping';
      cancelTurn(runtime, entry);
      runtime.board.touchQueue(entry);
    }
    return queue.show();
  });
}

function checkChoice(
  runtime: Runtime,
  entry: SessionEntry,
  { prompt, generation }: { prompt: QueuedPrompt; generation: number | undefined },
): void {
  checkOpen(runtime, entry);
  const { shown, queue } = entry;
  if (shown.inputMode === 'unavailable') throw refused(entry, 'session_ended', null);
  const overtakes = prompt.origin === 'wakeup' && queue.waiting.some((one) => one.origin === 'human');
  if (overtakes) throw refused(entry, 'queue_not_empty', null);
  if (generation === undefined || shown.generation === null || shown.generation === generation) return;
  const message = `Turn ${generation} is over and turn ${shown.generation} is at work; it was not cancelled. Read the session and decide again.`;
  throw new VigilError('conflict', message, { reason: 'turn_changed' });
}

function dispatchNow(runtime: Runtime, entry: SessionEntry, prompt: QueuedPrompt): void {
  prompt.reason = null;
  drain(runtime, entry);
  if (prompt.phase !== 'waiting' || prompt.reason !== 'agent_unavailable') return;
  entry.queue.chosen = null;
  throw refused(entry, 'agent_unavailable', prompt.error);
}
