import type { ReorderAnswer } from '@vigil/db';
import type { SessionEntry } from './entries.ts';
import { VigilError } from './errors.ts';
import type { QueuedPrompt } from './prompt-queue.ts';
import { putBack } from './put-back.ts';
import type { Runtime } from './runtime.ts';
import type { Queue } from './types.ts';
import { checkRemoved, keepText, takePlaces } from './unanswered.ts';

// Each of these waits for the submissions and changes that came before it, so that it sees what they made of the queue.

/** Takes a prompt that waits out of the queue; one on its way to the agent is not in it (S82). */
export function removeQueued(runtime: Runtime, input: { sessionId: string; messageId: string }): Promise<Queue> {
  const entry = runtime.board.session(input.sessionId);
  return entry.lane.run(() => drop(runtime, entry, [waitingPrompt(entry, input.messageId)]));
}

/** Takes all that wait now out of the queue; what comes behind them stays. */
export function clearQueue(runtime: Runtime, sessionId: string): Promise<Queue> {
  const entry = runtime.board.session(sessionId);
  const seen = entry.queue.waiting;
  const waits = (prompt: QueuedPrompt) => entry.queue.waiting.includes(prompt);
  return entry.lane.run(() => drop(runtime, entry, seen.filter(waits)));
}

/** All of them are held from the first step on, so that no drain takes one while another is removed. */
function drop(runtime: Runtime, entry: SessionEntry, prompts: readonly QueuedPrompt[]): Promise<Queue> {
  return whileHeld(runtime, entry, {
    prompts,
    change: async () => {
      for (const prompt of prompts) {
        try {
          await runtime.records.promptSettled(prompt);
          await runtime.deps.database.prompts.remove(prompt.messageId);
        } catch (error) {
          checkRemoved(runtime, entry, prompt);
          throw error;
        }
        entry.queue.remove(prompt);
      }
    },
  });
}

/** Changes the text of a prompt that waits. */
export function editQueued(
  runtime: Runtime,
  input: { sessionId: string; messageId: string; text: string },
): Promise<Queue> {
  const entry = runtime.board.session(input.sessionId);
  if (input.text.trim() === '')
    throw new VigilError('bad_input', 'The prompt is empty. Send some text, or remove the prompt.');
  return entry.lane.run(() => {
    const prompt = waitingPrompt(entry, input.messageId);
    return whileHeld(runtime, entry, {
      prompts: [prompt],
      change: async () => {
        try {
          await runtime.records.promptSettled(prompt);
          await runtime.deps.database.prompts.edit(prompt.messageId, input.text);
        } catch (error) {
          keepText(runtime, prompt);
          throw error;
        }
        prompt.text = input.text;
      },
    });
  });
}

/** Puts what waits into this order, which names exactly that. Human stays before wake-up (S81). */
export function reorderQueue(runtime: Runtime, input: { sessionId: string; order: string[] }): Promise<Queue> {
  const entry = runtime.board.session(input.sessionId);
  return entry.lane.run(() => {
    const { waiting } = entry.queue;
    const named = new Set(input.order);
    const isExact = named.size === input.order.length && named.size === waiting.length;
    if (!isExact || !waiting.every((prompt) => named.has(prompt.messageId))) throw queueChanged();
    return whileHeld(runtime, entry, {
      prompts: waiting,
      change: () => arrange(runtime, entry, { waiting, order: input.order }),
    });
  });
}

/** The database gives the places. */
async function arrange(
  runtime: Runtime,
  entry: SessionEntry,
  { waiting, order }: { waiting: readonly QueuedPrompt[]; order: string[] },
): Promise<void> {
  for (const prompt of waiting) await runtime.records.promptSettled(prompt);
  const answer = await storeOrder(runtime, entry, order);
  if (!answer.applied) throw queueChanged();
  const places = new Map(answer.prompts.map((row) => [row.id, row.position]));
  for (const prompt of waiting) prompt.position = places.get(prompt.messageId) ?? prompt.position;
  entry.queue.sort();
}

async function storeOrder(runtime: Runtime, entry: SessionEntry, order: string[]): Promise<ReorderAnswer> {
  try {
    return await runtime.deps.database.prompts.reorder(entry.id, order);
  } catch (error) {
    takePlaces(runtime, entry);
    throw error;
  }
}

function queueChanged(): VigilError {
  const message = 'The order must name exactly the prompts that wait, and the queue changed. List it and try again.';
  return new VigilError('conflict', message, { reason: 'queue_changed' });
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

/** Changes prompts while no drain and no other change takes them; then the queue goes on. */
async function whileHeld(
  runtime: Runtime,
  entry: SessionEntry,
  { prompts, change }: { prompts: readonly QueuedPrompt[]; change: () => Promise<void> },
): Promise<Queue> {
  for (const prompt of prompts) prompt.phase = 'held';
  try {
    await change();
  } finally {
    for (const prompt of prompts) if (entry.queue.find(prompt.messageId) === prompt) putBack(runtime, entry, prompt);
    runtime.board.touchQueue(entry);
    runtime.drainSoon(entry);
  }
  return entry.queue.show();
}

/** The prompt of this id, if it waits. */
export function waitingPrompt(entry: SessionEntry, messageId: string): QueuedPrompt {
  const prompt = entry.queue.find(messageId);
  if (prompt?.phase === 'waiting') return prompt;
  throw new VigilError(
    'not_found',
    `No prompt ${messageId} waits in the queue of session ${entry.id}: it was sent or removed. List the queue.`,
  );
}
