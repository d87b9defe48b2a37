import { free, sweep } from './foreground.ts';
import type { Generation } from './ids.ts';
import { cycleOf, type SessionRecord } from './record.ts';

/** A prompt that was not accepted is given up; a token that was spent, or is not current, changes nothing (S53, S55). */
export function release(record: SessionRecord, generation: Generation): SessionRecord {
  if (record.inFlight !== generation) return record;
  if (isClaimed(record, generation)) return giveBack(record, null);
  const landed = { ...record, inFlight: null };
  return cycleOf(record.foreground)?.generation === generation ? free(landed, 'error') : landed;
}

/** True while the prompt of this generation has the claim and has not begun. */
export function isClaimed({ foreground }: SessionRecord, generation: Generation): boolean {
  return foreground.kind === 'claimed' && foreground.claim.generation === generation;
}

/** Takes the claim away with all that is its own, and gives the predecessor back as it is now (S55). */
export function giveBack(record: SessionRecord, stopReason: string | null): SessionRecord {
  const { foreground, cancelling } = record;
  if (foreground.kind !== 'claimed') return record;
  const { generation, dispatched } = foreground.claim;
  const cancelled = cancelling === generation;
  const back: SessionRecord = {
    ...sweep(record, generation, cancelled && dispatched),
    foreground: foreground.under,
    inFlight: record.inFlight === generation ? null : record.inFlight,
    cancelling: cancelled ? null : cancelling,
  };
  if (back.foreground.kind !== 'free') return { ...back, state: 'running' };
  return { ...back, state: 'waiting_for_input', stopReason: cancelled ? 'cancelled' : stopReason };
}
