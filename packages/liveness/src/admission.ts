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
  switch (record.state) {
    case 'cancelled':
      return refuse('session_ended');
    case 'starting':
      return refuse('starting');
    case 'created':
    case 'idle':
    case 'completed':
    case 'failed':
      return hindrance(record) ?? START;
    case 'waiting_for_input':
      return hindrance(record) ?? (record.foreground.kind === 'free' ? DIRECT : refuse('generating'));
    case 'running':
      return hindrance(record) ?? admitRunning(record, origin);
  }
}

/** What keeps the gate shut in every state: what is not accounted for, a pending cancel, a claim in flight (S9, S50, S131). */
function hindrance(record: SessionRecord): Admission | null {
  if (!record.accounted || current(record)?.lost === true || record.cancelling !== null) return refuse('stopping');
  return record.inFlight === null ? null : refuse('generating');
}

/** Only under fine policy does a running session accept, and only a human, and only once yielded (S52, S61). */
function admitRunning(record: SessionRecord, origin: PromptOrigin): Admission {
  if (!record.rules.fine) return refuse('generating');
  if (record.foreground.kind === 'claimed') return refuse('generating');
  if (record.foreground.kind === 'yielded') return origin === 'human' ? DIRECT : refuse('generating');
  return refuse(hasDetached(current(record)) ? 'handoff_not_attested' : 'generating');
}
