import type { ReorderAnswer } from '@vigil/db';
import type { SessionEntry } from './entries.ts';
import { VigilError } from './errors.ts';
import type { QueuedPrompt } from './prompt-queue.ts';
import type { Runtime } from './runtime.ts';
import type { Queue } from './types.ts';
import { checkRemoved, keepText, takePlaces } from './unanswered.ts';

/** Takes a prompt that waits out of the queue; one on its way to the agent is not in it (S82). */
export async function removeQueued(runtime: Runtime, input: { sessionId: string; messageId: string }): Promise<Queue> {
  const entry = runtime.board.session(input.sessionId);
  await drop(runtime, entry, waiting(entry, input.messageId));
  runtime.board.touchQueue(entry);
  return entry.queue.show();
}

/** Takes all that wait out of the queue. */
export async function clearQueue(runtime: Runtime, sessionId: string): Promise<Queue> {
  const entry = runtime.board.session(sessionId);
  for (const prompt of entry.queue.waiting) await drop(runtime, entry, prompt);
  runtime.board.touchQueue(entry);
  return entry.queue.show();
}

/** Held invisible while it is dropped, so that no drain takes it meanwhile. */
async function drop(runtime: Runtime, entry: SessionEntry, prompt: QueuedPrompt): Promise<void> {
  if (prompt.phase !== 'waiting') return;
  prompt.phase = 'storing';
  try {
    await runtime.records.promptSettled(prompt);
    await runtime.deps.database.prompts.remove(prompt.messageId);
    entry.queue.remove(prompt);
  } catch (error) {
    checkRemoved(runtime, entry, prompt);
    throw error;
  } finally {
    if (entry.queue.find(prompt.messageId) !== undefined) prompt.phase = 'waiting';
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
  prompt.phase = 'storing';
  try {
    await runtime.records.promptSettled(prompt);
    await runtime.deps.database.prompts.edit(prompt.messageId, input.text);
    prompt.text = input.text;
  } catch (error) {
    keepText(runtime, prompt);
    throw error;
  } finally {
    prompt.phase = 'waiting';
  }
  runtime.board.touchQueue(entry);
  runtime.drainSoon(entry);
  return entry.queue.show();
}

/** Puts prompts that wait into this order; those not named follow as they were. Human stays before wake-up (S81). */
export async function reorderQueue(runtime: Runtime, input: { sessionId: string; order: string[] }): Promise<Queue> {
  const entry = runtime.board.session(input.sessionId);
  await arrange(
    runtime,
    entry,
    input.order.map((id) => waiting(entry, id)),
  );
  return entry.queue.show();
}

/** Puts a prompt first and lets the queue run. */
export async function sendNow(runtime: Runtime, input: { sessionId: string; messageId: string }): Promise<Queue> {
  const entry = runtime.board.session(input.sessionId);
  await arrange(runtime, entry, [waiting(entry, input.messageId)]);
  return setAutoRun(runtime, { sessionId: entry.id, on: true });
}

/** The database gives the places; none is taken by a drain meanwhile. */
async function arrange(runtime: Runtime, entry: SessionEntry, first: readonly QueuedPrompt[]): Promise<void> {
  const all = [...new Set([...first, ...entry.queue.waiting])];
  for (const prompt of all) prompt.phase = 'storing';
  try {
    for (const prompt of all) await runtime.records.promptSettled(prompt);
    const answer = await storeOrder(
      runtime,
      entry,
      all.map((prompt) => prompt.messageId),
    );
    if (!answer.applied)
      throw new VigilError('conflict', 'The queue changed meanwhile. List it and try again.', {
        reason: answer.reason,
      });
    const places = new Map(answer.prompts.map((row) => [row.id, row.position]));
    for (const prompt of all) prompt.position = places.get(prompt.messageId) ?? prompt.position;
  } finally {
    for (const prompt of all) prompt.phase = 'waiting';
    entry.queue.sort();
  }
  runtime.board.touchQueue(entry);
  runtime.drainSoon(entry);
}

async function storeOrder(runtime: Runtime, entry: SessionEntry, order: string[]): Promise<ReorderAnswer> {
  try {
    return await runtime.deps.database.prompts.reorder(entry.id, order);
  } catch (error) {
    takePlaces(runtime, entry);
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

function waiting(entry: SessionEntry, messageId: string): QueuedPrompt {
  const prompt = entry.queue.find(messageId);
  if (prompt?.phase === 'waiting') return prompt;
  throw new VigilError(
    'not_found',
    `No prompt ${messageId} waits in the queue of session ${entry.id}: it was sent or removed. List the queue.`,
  );
}
