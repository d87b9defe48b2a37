import type { ReorderAnswer } from '@vigil/db';
import { cancelTurn } from './cancel.ts';
import type { SessionEntry } from './entries.ts';
import { VigilError } from './errors.ts';
import { promised } from './promised.ts';
import type { QueuedPrompt } from './prompt-queue.ts';
import type { Runtime } from './runtime.ts';
import { checkOpen, refused } from './submit.ts';
import type { Queue } from './types.ts';
import { checkRemoved, keepText, takePlaces } from './unanswered.ts';
import { waits } from './wake-ups.ts';

/** Takes a prompt that waits out of the queue; one on its way to the agent is not in it (S82). */
export async function removeQueued(runtime: Runtime, input: { sessionId: string; messageId: string }): Promise<Queue> {
  const entry = runtime.board.session(input.sessionId);
  await drop(runtime, entry, [waiting(entry, input.messageId)]);
  return entry.queue.show();
}

/** Takes all that wait out of the queue. */
export async function clearQueue(runtime: Runtime, sessionId: string): Promise<Queue> {
  const entry = runtime.board.session(sessionId);
  await drop(runtime, entry, entry.queue.waiting);
  return entry.queue.show();
}

async function drop(runtime: Runtime, entry: SessionEntry, prompts: readonly QueuedPrompt[]): Promise<void> {
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
  await whileHeld(runtime, entry, { prompts, change });
}

/**
 * Changes prompts that are held invisible meanwhile, so that no drain takes one. It may have come and gone: where the
 * change fails, they wait again, and are drained.
 */
async function whileHeld(
  runtime: Runtime,
  entry: SessionEntry,
  { prompts, change }: { prompts: readonly QueuedPrompt[]; change: () => Promise<void> },
): Promise<void> {
  for (const prompt of prompts) prompt.phase = 'storing';
  try {
    for (const prompt of prompts) await runtime.records.promptSettled(prompt);
    await change();
  } finally {
    for (const prompt of prompts) if (entry.queue.find(prompt.messageId)) waits(runtime, entry, prompt);
    entry.queue.sort();
    runtime.board.touchQueue(entry);
    runtime.drainSoon(entry);
  }
}

/** Changes the text of a prompt that waits. */
export async function editQueued(
  runtime: Runtime,
  input: { sessionId: string; messageId: string; text: string },
): Promise<Queue> {
  const entry = runtime.board.session(input.sessionId);
  const prompt = waiting(entry, input.messageId);
  if (input.text.trim() === '')
    throw new VigilError('bad_input', 'The prompt is empty. Send some text, or remove the prompt.');
  const change = async () => {
    try {
      await promised(runtime.deps.database.prompts.edit(prompt.messageId, input.text));
    } catch (error) {
      keepText(runtime, prompt, error);
      throw error;
    }
    prompt.text = input.text;
  };
  await whileHeld(runtime, entry, { prompts: [prompt], change });
  return entry.queue.show();
}

/** Puts what waits into this order: exactly what waits, each once. Human stays before wake-up (S81). */
export async function reorderQueue(runtime: Runtime, input: { sessionId: string; order: string[] }): Promise<Queue> {
  const entry = runtime.board.session(input.sessionId);
  const waits = new Map(entry.queue.waiting.map((prompt) => [prompt.messageId, prompt]));
  const order = [...new Set(input.order)].flatMap((messageId) => waits.get(messageId) ?? []);
  if (order.length !== waits.size || input.order.length !== waits.size) {
    throw changed(`Expected the ${waits.size} prompts that wait, each once; got ${input.order.length} ids`);
  }
  await arrange(runtime, entry, order);
  return entry.queue.show();
}

/**
 * Sends a prompt next, from wherever it stands: at once where the session takes prompts; else the turn at work is
 * cancelled and this prompt replaces it. `generation`: the turn that was seen; another one is not cancelled for it. The
 * rest of the queue, and whether it runs by itself, stays as it is (S82).
 */
export function sendNow(
  runtime: Runtime,
  input: { sessionId: string; messageId: string; generation?: number | undefined },
): Queue {
  const entry = runtime.board.session(input.sessionId);
  const prompt = waiting(entry, input.messageId);
  checkOpen(runtime, entry);
  const { shown, queue } = entry;
  if (shown.inputMode === 'unavailable') throw refused(entry, 'session_ended', null);
  const { generation } = shown;
  if (input.generation !== undefined && generation !== null && input.generation !== generation) {
    throw new VigilError('conflict', 'Another turn is at work than the one that you saw. Look at it and try again.', {
      reason: 'turn_changed',
    });
  }
  queue.urgent = prompt.messageId;
  // An operator says go: no evidence is waited for.
  queue.heldBack = false;
  replaceTurn(runtime, entry);
  runtime.board.touchQueue(entry);
  runtime.drainSoon(entry);
  return queue.show();
}

/** What starts is waited for: its turn has not begun. */
function replaceTurn(runtime: Runtime, entry: SessionEntry): void {
  const { generation, inputMode, state, cancellationPending } = entry.shown;
  const execution = runtime.serving.get(entry.id);
  if (inputMode === 'direct' || state !== 'running' || generation === null || execution === undefined) return;
  if (!cancellationPending) cancelTurn(runtime, execution, generation);
}

/** The database gives the places. */
async function arrange(runtime: Runtime, entry: SessionEntry, all: readonly QueuedPrompt[]): Promise<void> {
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
  await whileHeld(runtime, entry, { prompts: all, change });
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
