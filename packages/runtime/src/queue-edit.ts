import type { ReorderAnswer } from '@vigil/db';
import { cancelTurn } from './cancel.ts';
import { drain } from './drain.ts';
import type { SessionEntry } from './entries.ts';
import { VigilError } from './errors.ts';
import { inTime, promised } from './promised.ts';
import type { QueuedPrompt } from './prompt-queue.ts';
import type { Runtime } from './runtime.ts';
import { checkOpen, refused } from './submit.ts';
import type { Queue } from './types.ts';
import { checkRemoved, keepText, takePlaces } from './unanswered.ts';
import { waits } from './wake-ups.ts';

// Each change waits for those that came before it, so that it does not find gone what they only hold.

/** Takes a prompt that waits out of the queue; one on its way to the agent is not in it (S82). */
export function removeQueued(runtime: Runtime, input: { sessionId: string; messageId: string }): Promise<Queue> {
  const entry = runtime.board.session(input.sessionId);
  return entry.edits.run(() => drop(runtime, entry, [waiting(entry, input.messageId)]));
}

/** Takes all that wait now out of the queue; what comes behind them stays. */
export function clearQueue(runtime: Runtime, sessionId: string): Promise<Queue> {
  const entry = runtime.board.session(sessionId);
  const seen = entry.queue.waiting;
  const stillWaits = (prompt: QueuedPrompt) => entry.queue.waiting.includes(prompt);
  return entry.edits.run(() => drop(runtime, entry, seen.filter(stillWaits)));
}

async function drop(runtime: Runtime, entry: SessionEntry, prompts: readonly QueuedPrompt[]): Promise<Queue> {
  const change = async () => {
    for (const prompt of prompts) {
      try {
        await promised(runtime.deps.database.prompts.remove(prompt.messageId));
      } catch (error) {
        checkRemoved(runtime, entry, { prompt, error });
        throw error;
      }
      entry.queue.remove(prompt);
    }
  };
  return whileHeld(runtime, entry, { prompts, change });
}

/**
 * Changes prompts that are held meanwhile, so that no drain takes one. It may have come and gone: where the
 * change fails, they wait again, and are drained.
 */
async function whileHeld(
  runtime: Runtime,
  entry: SessionEntry,
  { prompts, change }: { prompts: readonly QueuedPrompt[]; change: () => Promise<void> },
): Promise<Queue> {
  for (const prompt of prompts) prompt.phase = 'held';
  try {
    for (const prompt of prompts) await runtime.records.promptSettled(prompt);
    await change();
  } finally {
    for (const prompt of prompts) if (entry.queue.find(prompt.messageId)) waits(runtime, entry, prompt);
    entry.queue.sort();
    runtime.board.touchQueue(entry);
    runtime.drainSoon(entry);
  }
  return entry.queue.show();
}

/** Changes the text of a prompt that waits. */
export function editQueued(
  runtime: Runtime,
  input: { sessionId: string; messageId: string; text: string },
): Promise<Queue> {
  const entry = runtime.board.session(input.sessionId);
  if (input.text.trim() === '')
    throw new VigilError('bad_input', 'The prompt is empty. Send some text, or remove the prompt.');
  return entry.edits.run(() => {
    const prompt = waiting(entry, input.messageId);
    const change = async () => {
      try {
        await promised(runtime.deps.database.prompts.edit(prompt.messageId, input.text));
      } catch (error) {
        keepText(runtime, prompt, error);
        throw error;
      }
      prompt.text = input.text;
    };
    return whileHeld(runtime, entry, { prompts: [prompt], change });
  });
}

/** Puts what waits into this order: exactly what waits, each once. Human stays before wake-up (S81). */
export function reorderQueue(runtime: Runtime, input: { sessionId: string; order: string[] }): Promise<Queue> {
  const entry = runtime.board.session(input.sessionId);
  return entry.edits.run(() => {
    const waits = new Map(entry.queue.waiting.map((prompt) => [prompt.messageId, prompt]));
    const order = [...new Set(input.order)].flatMap((messageId) => waits.get(messageId) ?? []);
    if (order.length !== waits.size || input.order.length !== waits.size) {
      throw changed(`Expected the ${waits.size} prompts that wait, each once; got ${input.order.length} ids`);
    }
    return arrange(runtime, entry, order);
  });
}

/**
 * Sends a prompt next, from wherever it stands: at once where the session takes prompts; else the turn at work is
 * cancelled and this prompt replaces it. `generation`: the turn that was seen; another one is not cancelled for it. The
 * rest of the queue, and whether it runs by itself, stays as it is (S82).
 */
export function sendNow(
  runtime: Runtime,
  input: { sessionId: string; messageId: string; generation?: number | undefined },
): Promise<Queue> {
  const entry = runtime.board.session(input.sessionId);
  return entry.edits.run(async () => {
    await inTime(entry.transcript.ready());
    const prompt = waiting(entry, input.messageId);
    checkChoice(runtime, entry, { prompt, seen: input.generation });
    const { queue } = entry;
    queue.urgent = prompt.messageId;
    // An operator says go: no evidence is waited for.
    queue.heldBack = false;
    prompt.reason = null;
    drain(runtime, entry);
    if (prompt.reason === 'agent_unavailable') throw refused(entry, prompt.reason, prompt.error);
    if (prompt.phase === 'waiting') replaceTurn(runtime, entry, prompt);
    return queue.show();
  });
}

function checkChoice(
  runtime: Runtime,
  entry: SessionEntry,
  { prompt, seen }: { prompt: QueuedPrompt; seen: number | undefined },
): void {
  checkOpen(runtime, entry);
  const { shown, queue } = entry;
  if (shown.inputMode === 'unavailable') throw refused(entry, 'session_ended', null);
  const overtakes = prompt.origin === 'wakeup' && queue.waiting.some((one) => one.origin === 'human');
  if (overtakes) throw refused(entry, 'queue_not_empty', null);
  if (seen === undefined || shown.generation === null || seen === shown.generation) return;
  const message = 'Another turn is at work than the one that you saw. Look at it and try again.';
  throw new VigilError('conflict', message, { reason: 'turn_changed' });
}

/** A prompt that still starts its agent goes back to the queue; what only tells its end by and by is waited for. */
function replaceTurn(runtime: Runtime, entry: SessionEntry, prompt: QueuedPrompt): void {
  const { generation, cancellationPending } = entry.shown;
  const execution = runtime.serving.get(entry.id);
  if (generation !== null) prompt.reason = 'stopping';
  if (generation !== null && execution !== undefined && !cancellationPending)
    cancelTurn(runtime, execution, generation);
  runtime.board.touchQueue(entry);
  runtime.drainSoon(entry);
}

/** The database gives the places. */
async function arrange(runtime: Runtime, entry: SessionEntry, all: readonly QueuedPrompt[]): Promise<Queue> {
  const change = async () => {
    const answer = await storeOrder(
      runtime,
      entry,
      all.map((prompt) => prompt.messageId),
    );
    if (!answer.applied) throw changed('What is stored is not what waits here');
    const places = new Map(answer.prompts.map((row) => [row.id, row.position]));
    for (const prompt of all) prompt.position = places.get(prompt.messageId) ?? prompt.position;
  };
  return whileHeld(runtime, entry, { prompts: all, change });
}

async function storeOrder(runtime: Runtime, entry: SessionEntry, order: string[]): Promise<ReorderAnswer> {
  try {
    return await promised(runtime.deps.database.prompts.reorder(entry.id, order));
  } catch (error) {
    takePlaces(runtime, entry, error);
    throw error;
  }
}

/** On: the backlog drains by itself; off: it waits for an operator (S82). */
export function setAutoRun(runtime: Runtime, input: { sessionId: string; on: boolean }): Queue {
  const entry = runtime.board.session(input.sessionId);
  const { queue } = entry;
  queue.autoRun = input.on;
  // An operator says go: no evidence is waited for.
  if (input.on) queue.heldBack = false;
  runtime.records.sessionChanged(entry);
  runtime.board.touchQueue(entry);
  runtime.drainSoon(entry);
  return queue.show();
}

function changed(what: string): VigilError {
  return new VigilError('conflict', `The queue changed meanwhile. ${what}. List it and try again.`, {
    reason: 'queue_changed',
  });
}

function waiting(entry: SessionEntry, messageId: string): QueuedPrompt {
  const prompt = entry.queue.find(messageId);
  if (prompt?.phase === 'waiting') return prompt;
  throw new VigilError(
    'not_found',
    `No prompt ${messageId} waits in the queue of session ${entry.id}: it was sent or removed. List the queue.`,
  );
}
