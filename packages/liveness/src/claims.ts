import { free, sweep, sweepAll } from './foreground.ts';
import { beginNamed, rested, unmute, withCycle } from './ground.ts';
import type { Generation } from './ids.ts';
import { current, cycleOf, cycleWith, executionWith, recordWith, type SessionRecord, withExecution } from './record.ts';

/** One-shot; releases the in-flight mark by claim, even if the cycle has moved on (S55). */
export function accept(record: SessionRecord, generation: Generation): SessionRecord {
  if (record.inFlight !== generation) return record;
  const accepted: SessionRecord = recordWith(record, { inFlight: null });
  if (cycleOf(accepted.foreground)?.generation === generation) return withCycle(accepted, { predecessor: null });
  return current(accepted)?.traits.begins === 'acknowledged' ? beginNamed(accepted, generation) : accepted;
}

/** Gives up a claim that is still in flight; a later failure gives nothing back (S53, S55, S56). */
export function release(record: SessionRecord, generation: Generation): SessionRecord {
  return record.inFlight === generation ? rollBack(record, generation) : record;
}

/** Takes the claim, or the turn that began with it, away, and gives the predecessor back as it is now (S55). */
function rollBack(record: SessionRecord, generation: Generation): SessionRecord {
  const { foreground, inFlight, cancelling } = record;
  const landed: SessionRecord = recordWith(record, { inFlight: inFlight === generation ? null : inFlight });
  const cancelled = cancelling === generation;
  const open: SessionRecord = recordWith(sweep(landed, generation), { cancelling: cancelled ? null : cancelling });
  if (foreground.kind === 'claimed') {
    if (foreground.claim.generation !== generation) return landed;
    const back = rested(recordWith(open, { foreground: foreground.under }));
    return cancelled && back.foreground.kind === 'free' ? recordWith(back, { stopReason: 'cancelled' }) : back;
  }
  const cycle = cycleOf(foreground);
  if (cycle?.generation !== generation) return landed;
  const { predecessor } = cycle;
  return predecessor === null
    ? free(landed, 'error')
    : recordWith(open, { foreground: { kind: 'held', cycle: cycleWith(predecessor, { idleAttested: false }) } });
}

/** Settles a cancel that was never answered; what still comes of that turn is muted (S131). */
export function expireCancel(record: SessionRecord, generation: Generation): SessionRecord {
  if (record.cancelling !== generation) return record;
  const { foreground } = record;
  const sent = foreground.kind !== 'claimed' || foreground.claim.dispatched;
  const swept = sent ? sweepAll(record) : record;
  const settled = foreground.kind === 'claimed' ? rollBack(swept, generation) : free(record, 'cancelled');
  const landed = settled.inFlight === generation ? recordWith(settled, { inFlight: null }) : settled;
  return sent ? mute(landed, generation) : landed;
}

/** Nothing is muted of an agent that says that it is idle: what comes next is of another cycle. */
function mute(record: SessionRecord, generation: Generation): SessionRecord {
  const execution = current(record);
  if (execution === undefined || execution.levels.state === 'idle' || execution.levels.raw === 'idle') return record;
  return withExecution(record, executionWith(execution, { muted: generation }));
}

/** A cycle that nobody prompted has closed, so a cancelled one has as well (S131). */
export function unmuteServing(record: SessionRecord): SessionRecord {
  return record.executionId === null ? record : unmute(record, record.executionId);
}
