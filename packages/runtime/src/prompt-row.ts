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
  return { messageId, text, origin, position, reason, error, createdAt, phase: 'waiting' };
}

/** A strict prompt has no key of its sender: whoever waited for its acceptance was told that it failed (S80). */
export const isStrict = (row: PromptRow): boolean => row.clientKey === row.id;

/** What becomes of a strict prompt that an earlier life left. */
export const INTERRUPTED_STRICT = { as: 'dropped', reason: 'interrupted' } as const;
