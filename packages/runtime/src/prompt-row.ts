import type { PromptRow } from '@vigil/db';
import type { QueuedPrompt } from './prompt-queue.ts';
import type { SubmitResult } from './types.ts';

/** What a row says became of its submission. */
export function outcomeOf(row: PromptRow): Omit<SubmitResult, 'epoch'> {
  const { status } = row;
  if (status === 'dropped' || status === 'refused') {
    return { outcome: 'queued', reason: status, messageId: row.id, generation: null };
  }
  const queued = status === 'queued';
  return {
    outcome: queued ? 'queued' : 'dispatched',
    reason: queued ? row.reason : null,
    messageId: row.id,
    generation: null,
  };
}

/** The prompt of a row, as it waits. */
export function promptOf(row: PromptRow): QueuedPrompt {
  const { id: messageId, text, origin, position, reason, error, createdAt } = row;
  return { messageId, text, origin, position, reason, error, createdAt, phase: 'waiting', stopped: false };
}
