import { claim, giveBack } from './claim.ts';
import { type Dispatch, deliver, parkBacklog } from './deliver.ts';
import type { SessionEntry } from './entries.ts';
import type { QueuedPrompt } from './prompt-queue.ts';
import type { Runtime } from './runtime.ts';
import { waits } from './wake-ups.ts';

const RETRY_MS = 1_000;

/** Drains after the present step: called on every edge to promptable (S81). */
export function drainSoon(runtime: Runtime, entry: SessionEntry): void {
  if (entry.queue.drainDue) return;
  entry.queue.drainDue = true;
  queueMicrotask(() => {
    entry.queue.drainDue = false;
    drain(runtime, entry);
  });
}

/** Sends what is next in the backlog if the session takes it now: one at a time, in order. */
export function drain(runtime: Runtime, entry: SessionEntry): void {
  const { queue } = entry;
  const head = queue.next;
  if (queue.heldBack || head === undefined || queue.reserved !== undefined) return;
  if (entry.leaving || runtime.closing || entry.shown.inputMode !== 'direct') return;
  if (runtime.board.tasks.get(entry.taskId)?.archivedAt !== null) return;
  // An agent that is started speaks into the transcript, whatever becomes of the prompt.
  if (!entry.transcript.isReady) {
    entry.transcript.ready().then(
      () => drainSoon(runtime, entry),
      () => drainLater(runtime, entry),
    );
    return;
  }
  const claiming = claim(runtime, entry, head.origin);
  if (!claiming.granted) {
    if (head.reason !== claiming.reason) refuse(runtime, entry, { head, why: claiming });
    return;
  }
  head.phase = 'reserved';
  head.reason = null;
  head.error = null;
  runtime.board.touchQueue(entry);
  void reserveAndDeliver(runtime, entry, { prompt: head, claimed: claiming.claimed, strict: false });
}

/** It waits on. Where its agent is not to be had there is nothing to wait for, and a person decides (S81). */
function refuse(
  runtime: Runtime,
  entry: SessionEntry,
  { head, why }: { head: QueuedPrompt; why: { reason: string; message: string | null } },
): void {
  head.reason = why.reason;
  if (why.reason === 'agent_unavailable') {
    head.error = why.message;
    entry.queue.urgent = null;
    parkBacklog(runtime, entry);
  }
  runtime.board.touchQueue(entry);
}

/** The reservation is durable before the agent hears of the prompt, so that a crash cannot send it twice (S141). */
async function reserveAndDeliver(runtime: Runtime, entry: SessionEntry, dispatch: Dispatch): Promise<void> {
  const { prompt, claimed } = dispatch;
  try {
    if (!(await runtime.records.reserve(prompt, claimed.execution.connection !== null)))
      return forget(runtime, entry, dispatch);
  } catch (error) {
    runtime.deps.log.error({ err: error, sessionId: entry.id }, 'could not reserve a queued prompt; it is tried again');
    if (waits(runtime, entry, prompt)) runtime.records.promptReturned(prompt);
    giveBack(runtime, entry, claimed.generation);
    runtime.board.touchQueue(entry);
    drainLater(runtime, entry);
    return;
  }
  await deliver(runtime, entry, dispatch);
}

/** The database does not answer: nothing is tried until it may do so again. */
function drainLater(runtime: Runtime, entry: SessionEntry): void {
  entry.queue.heldBack = true;
  setTimeout(() => {
    entry.queue.heldBack = false;
    drainSoon(runtime, entry);
  }, RETRY_MS).unref();
}

/** It was removed meanwhile: the claim is given back, the next one drains. */
function forget(runtime: Runtime, entry: SessionEntry, { prompt, claimed }: Dispatch): void {
  entry.queue.remove(prompt);
  giveBack(runtime, entry, claimed.generation);
  runtime.board.touchQueue(entry);
  drainSoon(runtime, entry);
}
