import { randomUUID } from 'node:crypto';
import type { PromptOrigin } from '@vigil/liveness';
import { claim, giveBack } from './claim.ts';
import { type Delivery, type Dispatch, deliver } from './deliver.ts';
import type { SessionEntry } from './entries.ts';
import { VigilError } from './errors.ts';
import { inTime, promised } from './promised.ts';
import type { QueuedPrompt } from './prompt-queue.ts';
import type { Runtime } from './runtime.ts';
import type { SubmitResult } from './types.ts';
import { withdraw } from './unanswered.ts';
import { waits } from './wake-ups.ts';

export interface Submission {
  readonly sessionId: string;
  readonly text: string;
  readonly clientKey: string;
  readonly origin?: PromptOrigin | undefined;
}

/** How long a submission waits for the word of a live agent before it answers, so that it can tell of a busy one. */
const WORD_WITHIN_MS = 1_500;

/** Runs a prompt now or queues it, atomically, and once per client key (S80). */
export async function submit(runtime: Runtime, submission: Submission): Promise<SubmitResult> {
  const entry = runtime.board.session(submission.sessionId);
  checkText(submission.text);
  const taken = await entry.lane.run(async (): Promise<Taken> => {
    const known = await outcomeSoFar(runtime, entry, submission.clientKey);
    if (known !== null) return { result: { ...known, epoch: runtime.epoch }, delivery: null };
    await inTime(entry.transcript.ready());
    return admitOrQueue(runtime, entry, submission);
  });
  // Outside the lane: the next submission does not wait for the agent's word on this one.
  const heard = taken.delivery === null ? null : await within(taken.delivery, WORD_WITHIN_MS);
  if (heard?.outcome !== 'busy') return taken.result;
  return { ...taken.result, outcome: 'queued', reason: 'provider_busy', generation: null };
}

/** What became of this key; a prompt that its sender was told is not stored is not there. */
async function outcomeSoFar(runtime: Runtime, entry: SessionEntry, clientKey: string) {
  const known = await runtime.records.outcomeByKey(entry.id, clientKey);
  if (known === null || !entry.queue.withdrawn.has(known.messageId)) return known;
  await promised(runtime.deps.database.prompts.withdraw(known.messageId));
  entry.queue.withdrawn.delete(known.messageId);
  return null;
}

/** A submission that was taken, and the delivery to listen to where the agent may say at once that it is busy. */
interface Taken {
  readonly result: SubmitResult;
  readonly delivery: Promise<Delivery> | null;
}

export function checkText(text: string): void {
  if (text.trim() === '') throw new VigilError('bad_input', 'The prompt is empty. Send some text.');
}

/** Refuses a session that is gone, being deleted, or of an archived task. */
export function checkOpen(runtime: Runtime, entry: SessionEntry): void {
  const { leaving } = runtime.board.session(entry.id);
  if (leaving) throw refused(entry, 'stopping', null);
  if (runtime.board.task(entry.taskId).archivedAt !== null) throw refused(entry, 'task_archived', null);
}

export function newPrompt(
  runtime: Runtime,
  entry: SessionEntry,
  given: { text: string; origin: PromptOrigin },
): QueuedPrompt {
  return {
    messageId: randomUUID(),
    origin: given.origin,
    text: given.text,
    createdAt: new Date(runtime.deps.now()).toISOString(),
    position: entry.queue.lastPlace(),
    reason: null,
    error: null,
    phase: 'storing',
  };
}

/** From here to the claim nothing is awaited. */
function admitOrQueue(runtime: Runtime, entry: SessionEntry, submission: Submission): Promise<Taken> {
  checkOpen(runtime, entry);
  const origin = submission.origin ?? 'human';
  const prompt = newPrompt(runtime, entry, { text: submission.text, origin });
  const { queue } = entry;
  if ((queue.autoRun || queue.urgent !== null) && queue.precedes(origin) && entry.shown.inputMode !== 'unavailable') {
    return enqueue(runtime, entry, { prompt, clientKey: submission.clientKey, reason: 'queue_not_empty' });
  }
  const claiming = claim(runtime, entry, origin);
  if (!claiming.granted) {
    const { reason } = claiming;
    if (reason === 'session_ended' || reason === 'agent_unavailable') throw refused(entry, reason, claiming.message);
    return enqueue(runtime, entry, { prompt, clientKey: submission.clientKey, reason });
  }
  prompt.phase = 'reserved';
  prompt.position = queue.firstPlace();
  queue.add(prompt);
  const dispatch = { prompt, claimed: claiming.claimed, strict: false };
  return dispatchNow(runtime, entry, { dispatch, clientKey: submission.clientKey, starts: claiming.starts });
}

async function dispatchNow(
  runtime: Runtime,
  entry: SessionEntry,
  given: { dispatch: Dispatch; clientKey: string; starts: boolean },
): Promise<Taken> {
  const { prompt, claimed } = given.dispatch;
  await storeReserved(runtime, entry, { dispatch: given.dispatch, clientKey: given.clientKey });
  const delivery = deliver(runtime, entry, given.dispatch);
  const what = { outcome: 'dispatched', reason: null, generation: claimed.generation } as const;
  return { result: result(runtime, prompt, what), delivery: given.starts ? null : delivery };
}

/** The prompt is durable before the agent hears of it; otherwise the claim is given back and the caller told. */
export async function storeReserved(
  runtime: Runtime,
  entry: SessionEntry,
  given: { dispatch: Dispatch; clientKey: string | null },
): Promise<void> {
  const { prompt, claimed } = given.dispatch;
  try {
    const sends = claimed.execution.connection !== null && !given.dispatch.strict;
    await runtime.records.addPrompt(entry, prompt, { clientKey: given.clientKey, status: 'reserved', sends });
  } catch (error) {
    entry.queue.remove(prompt);
    withdraw(runtime, entry, { prompt, error });
    giveBack(runtime, entry, claimed.generation);
    runtime.drainSoon(entry);
    throw notStored(error);
  }
}

async function enqueue(
  runtime: Runtime,
  entry: SessionEntry,
  given: { prompt: QueuedPrompt; clientKey: string; reason: string },
): Promise<Taken> {
  const { prompt, clientKey, reason } = given;
  prompt.reason = reason;
  entry.queue.add(prompt);
  try {
    await runtime.records.addPrompt(entry, prompt, { clientKey, status: 'queued' });
  } catch (error) {
    entry.queue.remove(prompt);
    withdraw(runtime, entry, { prompt, error });
    // What came behind it waited for it.
    runtime.drainSoon(entry);
    throw notStored(error);
  }
  const left = waits(runtime, entry, prompt) ? reason : 'dropped';
  runtime.board.touchQueue(entry);
  runtime.drainSoon(entry);
  return { result: result(runtime, prompt, { outcome: 'queued', reason: left, generation: null }), delivery: null };
}

function result(
  runtime: Runtime,
  prompt: QueuedPrompt,
  what: Pick<SubmitResult, 'outcome' | 'reason' | 'generation'>,
): SubmitResult {
  return { ...what, messageId: prompt.messageId, epoch: runtime.epoch };
}

/** The value, or null when it does not come in time. */
function within(delivery: Promise<Delivery>, ms: number): Promise<Delivery | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), ms);
    timer.unref();
    void delivery.then((value) => {
      clearTimeout(timer);
      resolve(value);
    });
  });
}

function notStored(cause: unknown): VigilError {
  const message = 'The prompt could not be stored, so it was not taken. The database does not answer; send it again.';
  return new VigilError('unavailable', message, { cause });
}

/** Why a prompt is refused; the reason is for programs, the message for people. */
export function refused(entry: SessionEntry, reason: string, detail: string | null): VigilError {
  const why: Record<string, string> = {
    session_ended: 'The session was ended by an operator and takes no prompts. Create a new session.',
    agent_unavailable: `Agent ${entry.agentId} cannot be started: ${detail ?? 'it is not configured'}.`,
    prompt_in_progress: 'The agent is generating. Submit the prompt to queue it, or wait for the end of the turn.',
    starting: 'The agent is starting. Submit the prompt to queue it, or wait until it runs.',
    stopping: 'The session is being stopped or its turn cancelled. Try again when that is done.',
    task_archived: 'The task is archived and takes no prompts. Unarchive it first.',
    queue_not_empty: 'Prompts wait in the queue and run first. Submit the prompt to queue it behind them.',
    provider_busy: `The agent said that it is busy${detail === null ? '' : ` (${detail})`}. Try again when its turn has ended.`,
  };
  return new VigilError('conflict', why[reason] ?? `The prompt is not admitted now: ${reason}.`, { reason });
}
