import type { PromptOrigin } from './event.ts';
import { current, hasDetached, type SessionRecord } from './record.ts';
import type { RefusalReason } from './view.ts';

export type Admission =
  /** `starts`: a new execution must be started first. */
  { readonly accepts: true; readonly starts: boolean } | { readonly accepts: false; readonly reason: RefusalReason };

const START: Admission = { accepts: true, starts: true };
const DIRECT: Admission = { accepts: true, starts: false };
const refuse = (reason: RefusalReason): Admission => ({ accepts: false, reason });

/** The one predicate of gate, API and client (S51): may a prompt be claimed now? */
export function admit(record: SessionRecord, origin: PromptOrigin): Admission {
  if (record.state === 'cancelled') return refuse('session_ended');
  if (record.state === 'starting') return refuse('starting');
  if (isStopping(record)) return refuse('stopping');
  if (record.inFlight !== null) return refuse('generating');
  if (record.state === 'running') return admitRunning(record, origin);
  if (record.state !== 'waiting_for_input') return START;
  return record.foreground.kind === 'free' ? DIRECT : refuse('generating');
}

/** What is ending, or is not accounted for, takes no prompt: `unknown` never relaxes admission (S9). */
function isStopping(record: SessionRecord): boolean {
  return !record.accounted || record.cancelling !== null || current(record)?.lost === true;
}

/** Only under fine policy does a running session accept, and only a human, and only once yielded (S52, S61). */
function admitRunning(record: SessionRecord, origin: PromptOrigin): Admission {
  if (!record.rules.fine) return refuse('generating');
  if (record.foreground.kind === 'yielded') return origin === 'human' ? DIRECT : refuse('generating');
  return refuse(hasDetached(current(record)) ? 'handoff_not_attested' : 'generating');
}
