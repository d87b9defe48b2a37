import type { SessionEntry, TaskEntry } from './entries.ts';
import { VigilError } from './errors.ts';
import { onceOver } from './promised.ts';
import type { QueuedPrompt } from './prompt-queue.ts';
import type { Runtime } from './runtime.ts';

// A call to the database that fails may have been done all the same: its answer was lost. The caller is told that it
// failed; behind it, once the database answers, what is stored and what is in memory are made one again (S142).

/** A creation is undone: nobody knows of what was made. */
export function undoTask(runtime: Runtime, taskId: string, error: unknown): void {
  const undo = () => runtime.deps.database.tasks.delete(taskId);
  onceOver(error, () => runtime.records.behind(`task:${taskId}:undone`, undo));
}

export function undoSession(runtime: Runtime, sessionId: string, error: unknown): void {
  const undo = () => runtime.deps.database.sessions.delete(sessionId);
  onceOver(error, () => runtime.records.behind(`session:${sessionId}:undone`, undo));
}

const AGAIN_AFTER_MS = 1_000;

/**
 * A deletion that was done is done again, which completes it here: agents may have been started since. `again` must not
 * come back to this by itself.
 */
export function checkSessionGone(
  runtime: Runtime,
  entry: SessionEntry,
  { error, again }: { error: unknown; again: () => Promise<unknown> },
): void {
  onceOver(error, () =>
    runtime.records.behind(`session:${entry.id}:gone`, async () => {
      if ((await runtime.deps.database.sessions.get(entry.id)) === null) repeat(runtime, again);
    }),
  );
}

export function checkTaskGone(
  runtime: Runtime,
  task: TaskEntry,
  { error, again }: { error: unknown; again: () => Promise<unknown> },
): void {
  onceOver(error, () =>
    runtime.records.behind(`task:${task.id}:gone`, async () => {
      if ((await runtime.deps.database.tasks.get(task.id)) === null) repeat(runtime, again);
    }),
  );
}

/** Not awaited: no other write waits for agents to end. What does not end is tried again. */
function repeat(runtime: Runtime, again: () => Promise<unknown>): void {
  again().catch((error: unknown) => {
    if (runtime.closing || (error instanceof VigilError && error.code === 'not_found')) return;
    runtime.deps.log.warn({ err: error }, 'a deletion whose answer was lost is not complete yet; it is tried again');
    setTimeout(() => repeat(runtime, again), AGAIN_AFTER_MS).unref();
  });
}

/** A prompt whose sender was told that it was not taken is not kept: sent again, it is a new one (S80). */
export function withdraw(
  runtime: Runtime,
  { queue }: SessionEntry,
  { prompt: { messageId }, error }: { prompt: QueuedPrompt; error: unknown },
): void {
  queue.withdrawn.add(messageId);
  onceOver(error, (gaveUp) =>
    runtime.records.behind(`prompt:${messageId}`, async () => {
      const found = await runtime.deps.database.prompts.withdraw(messageId);
      // What was given up may still come, from a connection that hung longer than this one.
      if (found || !gaveUp) queue.withdrawn.delete(messageId);
    }),
  );
}

/** A removal that was done is done here as well. */
export function checkRemoved(
  runtime: Runtime,
  entry: SessionEntry,
  { prompt, error }: { prompt: QueuedPrompt; error: unknown },
): void {
  onceOver(error, () =>
    runtime.records.behind(`prompt:${prompt.messageId}`, async () => {
      const row = await runtime.deps.database.prompts.get(prompt.messageId);
      // Also while it is being edited or moved.
      if (row?.status !== 'dropped' || prompt.phase === 'reserved') return;
      entry.queue.remove(prompt);
      runtime.board.touchQueue(entry);
    }),
  );
}

/** The text is stored as it is here. */
export function keepText(runtime: Runtime, prompt: QueuedPrompt, error: unknown): void {
  onceOver(error, () =>
    runtime.records.behind(`prompt:${prompt.messageId}`, async () => {
      await runtime.deps.database.prompts.edit(prompt.messageId, prompt.text);
    }),
  );
}

/** The places are taken as they are stored. */
export function takePlaces(runtime: Runtime, entry: SessionEntry, error: unknown): void {
  onceOver(error, () =>
    runtime.records.behind(`places:${entry.id}`, async () => {
      for (const { id, position } of await runtime.deps.database.prompts.list(entry.id)) {
        const prompt = entry.queue.find(id);
        if (prompt !== undefined) prompt.position = position;
      }
      entry.queue.sort();
      runtime.board.touchQueue(entry);
    }),
  );
}
