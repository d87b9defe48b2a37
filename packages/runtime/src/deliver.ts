import type { AgentConnection, PromptReceipt } from '@vigil/acp';
import { type Claimed, giveBack } from './claim.ts';
import type { SessionEntry } from './entries.ts';
import type { Execution } from './execution.ts';
import { finishTurn, startFailed } from './notices.ts';
import { DELIVERY_UNKNOWN, type QueuedPrompt } from './prompt-queue.ts';
import type { Runtime } from './runtime.ts';
import { moveToProgress, moveToReview } from './task-moves.ts';
import { waits } from './wake-ups.ts';

/** What became of a claimed prompt. */
export type Delivery =
  | { readonly outcome: 'accepted' }
  /** The provider said that it is busy, before accepting (S83). */
  | { readonly outcome: 'busy'; readonly message: string }
  | { readonly outcome: 'failed'; readonly message: string }
  /** Cancelled or torn down before it was accepted. */
  | { readonly outcome: 'given_up' };

/** A prompt that holds the foreground. `strict`: when it is not accepted, its caller is told and it is not kept. */
export interface Dispatch {
  readonly prompt: QueuedPrompt;
  readonly claimed: Claimed;
  readonly strict: boolean;
}

/**
 * The one way of a prompt to an agent (S50–S58): it was claimed; here its execution is awaited, it is written, and then
 * accepted or put back. Every exit releases the claim and drains the queue.
 */
export async function deliver(runtime: Runtime, entry: SessionEntry, dispatch: Dispatch): Promise<Delivery> {
  let delivery: Delivery = { outcome: 'failed', message: 'The prompt was not delivered.' };
  try {
    delivery = await attempt(runtime, entry, dispatch);
  } catch (error) {
    delivery = { outcome: 'failed', message: error instanceof Error ? error.message : String(error) };
  } finally {
    land(runtime, entry, { ...dispatch, delivery });
    runtime.drainSoon(entry);
    // Its turn may be over already: an agent may accept a prompt with the end of its turn.
    moveToReview(runtime, entry.taskId);
  }
  return delivery;
}

async function attempt(runtime: Runtime, entry: SessionEntry, dispatch: Dispatch): Promise<Delivery> {
  const { execution, generation } = dispatch.claimed;
  await entry.transcript.ready();
  const starting = execution.connection === null;
  if (starting) showPrompt(entry, dispatch, 'dispatched');
  let connection: AgentConnection;
  try {
    connection = await execution.opened;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (execution.facts?.cause !== 'failed') return { outcome: 'given_up' };
    startFailed(entry, message);
    return { outcome: 'failed', message };
  }
  // After a restart a strict one is dropped: its row need not say that a person must look (S141).
  if (!dispatch.strict) await runtime.records.sending(dispatch.prompt);
  if (!runtime.board.tracker.isCurrent(entry.id, generation)) return { outcome: 'given_up' };
  if (!starting) {
    // The predecessor's turn has its end in the transcript before its successor begins (S64).
    finishTurn(runtime, entry, entry.shown.stopReason);
    showPrompt(entry, dispatch, 'dispatched');
  }
  return write(runtime, entry, { dispatch, connection });
}

/** Writes the request; everything that the agent says of it is read before its receipt (S57). */
async function write(
  runtime: Runtime,
  entry: SessionEntry,
  to: { dispatch: Dispatch; connection: AgentConnection },
): Promise<Delivery> {
  const { board, deps } = runtime;
  const { prompt, claimed } = to.dispatch;
  const { execution, generation } = claimed;
  execution.dispatched = generation;
  entry.turn = { generation, startedAt: deps.now(), origin: prompt.origin };
  board.tracker.apply({ type: 'prompt.dispatched', sessionId: entry.id, at: deps.now(), generation });
  moveToProgress(runtime, entry.taskId);
  const receipt = await receiptOf(execution, to.connection.prompt(generation, prompt.text));
  // What was accepted is never sent again, whatever came after (S56).
  if (receipt.accepted || execution.accepted === generation) return { outcome: 'accepted' };
  if (execution.facts !== null && execution.facts.cause !== 'crashed') return { outcome: 'given_up' };
  return { outcome: receipt.busy ? 'busy' : 'failed', message: receipt.message };
}

/**
 * The provider's word. One that never comes counts as given once the cancel of its turn expired, since it may have been
 * taken; when the execution ended before it came, the prompt was not accepted.
 */
async function receiptOf(execution: Execution, asked: Promise<PromptReceipt>): Promise<PromptReceipt> {
  const heard = new AbortController();
  const abandoned = new Promise<PromptReceipt>((resolve) => {
    execution.abandonReceipt = () => resolve({ accepted: true });
    const ended = { accepted: false, busy: false, message: 'The agent ended before it took the prompt.' } as const;
    const once = { once: true, signal: heard.signal };
    execution.leaving.signal.addEventListener('abort', () => resolve(ended), once);
  });
  try {
    return await Promise.race([asked, abandoned]);
  } catch (error) {
    return { accepted: false, busy: false, message: error instanceof Error ? error.message : String(error) };
  } finally {
    execution.abandonReceipt = null;
    // A session may take thousands of prompts from one agent: nothing of this one stays on the execution.
    heard.abort();
  }
}

function showPrompt(entry: SessionEntry, { prompt, claimed }: Dispatch, status: 'dispatched' | 'failed'): void {
  const draft = {
    id: prompt.messageId,
    kind: 'user',
    text: prompt.text,
    origin: prompt.origin,
    generation: claimed.generation,
    status,
  } as const;
  if (status === 'dispatched') entry.transcript.putLast(draft);
  else entry.transcript.put(draft);
}

/** Leaves the claim, whatever happened, and puts the prompt where it belongs. */
function land(runtime: Runtime, entry: SessionEntry, how: Dispatch & { delivery: Delivery }): void {
  const { prompt, claimed, delivery, strict } = how;
  if (delivery.outcome === 'accepted') {
    entry.queue.remove(prompt);
    runtime.records.promptAccepted(prompt);
    return;
  }
  if (entry.turn?.generation === claimed.generation) entry.turn = null;
  giveBack(runtime, entry, claimed.generation);
  if (entry.transcript.get(prompt.messageId) !== undefined) showPrompt(entry, how, 'failed');
  if (strict) {
    entry.queue.remove(prompt);
    runtime.records.promptDropped(prompt, delivery.outcome === 'given_up' ? 'given up' : delivery.message);
    return;
  }
  keep(runtime, entry, how);
}

/** Back to its place (S82). Only a busy provider is asked again by itself, once it is idle (S83). */
function keep(
  runtime: Runtime,
  entry: SessionEntry,
  { prompt, claimed, delivery }: Dispatch & { delivery: Delivery },
): void {
  if (!waits(runtime, entry, prompt)) {
    runtime.board.touchQueue(entry);
    return;
  }
  const isUnknown =
    delivery.outcome === 'given_up' && runtime.closing && claimed.execution.dispatched === claimed.generation;
  prompt.reason = delivery.outcome === 'busy' ? 'provider_busy' : isUnknown ? DELIVERY_UNKNOWN : null;
  prompt.error = delivery.outcome === 'failed' ? delivery.message : null;
  if (delivery.outcome === 'busy') entry.queue.heldBack = !isIdleSince(entry, claimed);
  else if (entry.queue.urgent === prompt.messageId) entry.queue.urgent = null;
  // A server that stops parks nothing that was not sent: the next one drains (S141).
  if (delivery.outcome !== 'busy' && (!runtime.closing || isUnknown)) parkBacklog(runtime, entry);
  runtime.records.promptReturned(prompt);
  runtime.board.touchQueue(entry);
}

/** The provider told that it is idle after its refusal, and before that was dealt with here. */
function isIdleSince(entry: SessionEntry, { execution, generation }: Claimed): boolean {
  const { rejected } = execution;
  return rejected?.generation === generation && rejected.idleTold < entry.queue.idleTold;
}

/** Auto-run off: what waits is kept until an operator says so (S82). */
export function parkBacklog(runtime: Runtime, entry: SessionEntry): void {
  if (!entry.queue.autoRun) return;
  entry.queue.autoRun = false;
  runtime.records.sessionChanged(entry);
}
