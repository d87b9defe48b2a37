import type { PromptOrigin } from '@vigil/liveness';
import { claim } from './claim.ts';
import { deliver } from './deliver.ts';
import { VigilError } from './errors.ts';
import { inTime } from './promised.ts';
import type { Runtime } from './runtime.ts';
import { checkOpen, checkText, newPrompt, refused, storeReserved } from './submit.ts';
import type { SubmitResult } from './types.ts';

/** Dispatches a prompt and waits until the provider accepted it, or refuses with a reason and keeps nothing (S80). */
export async function prompt(
  runtime: Runtime,
  input: { sessionId: string; text: string; origin?: PromptOrigin | undefined },
): Promise<SubmitResult> {
  const entry = runtime.board.session(input.sessionId);
  checkText(input.text);
  await inTime(entry.transcript.ready());
  checkOpen(runtime, entry);
  const origin = input.origin ?? 'human';
  if (entry.shown.inputMode === 'direct' && entry.queue.autoRun && entry.queue.precedes(origin)) {
    throw refused(entry, 'queue_not_empty', null);
  }
  const claiming = claim(runtime, entry, origin);
  if (!claiming.granted) throw refused(entry, publicReason(claiming.reason), claiming.message);
  const queued = newPrompt(runtime, entry, { text: input.text, origin });
  queued.phase = 'reserved';
  queued.position = entry.queue.firstPlace();
  entry.queue.add(queued);
  const dispatch = { prompt: queued, claimed: claiming.claimed, strict: true };
  await storeReserved(runtime, entry, { dispatch, clientKey: null });
  const delivery = await deliver(runtime, entry, dispatch);
  switch (delivery.outcome) {
    case 'accepted':
      return {
        outcome: 'dispatched',
        reason: null,
        messageId: queued.messageId,
        epoch: runtime.epoch,
        generation: claiming.claimed.generation,
      };
    case 'busy':
      throw refused(entry, 'provider_busy', delivery.message);
    case 'given_up':
      throw refused(entry, 'stopping', null);
    case 'failed':
      throw new VigilError('unavailable', delivery.message, { reason: 'delivery_failed' });
  }
}

function publicReason(reason: string): string {
  return reason === 'generating' || reason === 'handoff_not_attested' ? 'prompt_in_progress' : reason;
}
