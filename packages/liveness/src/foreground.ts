import type { Level } from './fact.ts';
import {
  beginAgentCycle,
  beginIfClear,
  beginNamed,
  beginSuccessor,
  groundOf,
  levelOfOutput,
  type Now,
  reportsLevel,
  rested,
  unmute,
  withCycle,
  withGround,
} from './ground.ts';
import type { Generation, Millis } from './ids.ts';
import {
  current,
  cycleOf,
  cycleWith,
  type Execution,
  executionWith,
  expectsFollowUp,
  FREE,
  hasDetached,
  type LevelState,
  recordWith,
  type SessionRecord,
  withExecution,
} from './record.ts';
import { retain } from './registrations.ts';

/** How long the second of two levels, or the level after the answer of an RPC, is waited for (S13). */
const SECOND_END_AFTER_MS = 2000;

/** Known top-level output: the foreground is held (S4), a remembered idle is forgotten (S5). */
export function spoke(record: SessionRecord, now: Now): SessionRecord {
  const execution = current(record);
  if (execution === undefined || execution.muted !== null) return record;
  const heard = beginSuccessor(record);
  const silent = groundOf(heard).kind === 'free' && !execution.traits.agentCycles;
  return silent ? heard : levelRan(levelHeard(heard), levelOfOutput(execution), now);
}

/**
 * Output is running, also where the agent did not say so: the idle that follows is an end. Where the RPC ends the turn
 * (v1), a level that was never reported is not made up.
 */
function levelHeard(record: SessionRecord): SessionRecord {
  const execution = current(record);
  if (execution === undefined || !reportsLevel(execution)) return record;
  const { levels, traits } = execution;
  const level = levelOfOutput(execution);
  const quiet = levels[level] === 'idle' || (levels[level] === null && traits.rpc === 'receipt');
  return quiet
    ? withExecution(record, executionWith(execution, { levels: { ...levels, [level]: 'running' } }))
    : record;
}

/** The foreground is freed: its generation completes, at most once (S6). */
export function free(record: SessionRecord, stopReason: string | null): SessionRecord {
  const cycle = cycleOf(record.foreground);
  if (cycle === null) return record;
  const cancelled = record.cancelling === cycle.generation;
  const reason = cancelled ? 'cancelled' : (stopReason ?? cycle.stopReason);
  const swept = noteEnd(cancelled ? sweepAll(record) : sweep(record, cycle.generation));
  const freed = withGround(recordWith(swept, { cancelling: cancelled ? null : record.cancelling }), FREE);
  return freed.foreground.kind === 'free' ? recordWith(rested(freed), { stopReason: reason }) : beginIfClear(freed);
}

function noteEnd(record: SessionRecord): SessionRecord {
  const execution = current(record);
  return execution === undefined || execution.turnEnded
    ? record
    : withExecution(record, executionWith(execution, { turnEnded: true }));
}

/** Prompt-end cleanup, scoped by generation: what was live at a handoff stays (S65). */
export function sweep(record: SessionRecord, generation: Generation): SessionRecord {
  const execution = current(record);
  if (execution === undefined) return record;
  const isOf = (one: { readonly generation: Generation | null }) =>
    one.generation === null || one.generation === generation;
  const kept = retain(execution, (one) => one.detached || !isOf(one));
  const tools = kept.tools.filter((call) => call.owner !== 'foreground' || !isOf(call));
  return withExecution(record, tools.length === kept.tools.length ? kept : executionWith(kept, { tools }));
}

/** An explicit cancel ends every protection and all ownership; of detached work go the kinds that die with it (S65). */
export function sweepAll(record: SessionRecord): SessionRecord {
  const execution = current(record);
  if (execution === undefined) return record;
  const { cancelKills } = execution.traits;
  const kept = retain(execution, (one) => one.detached && !cancelKills.includes(one.kind));
  return withExecution(record, executionWith(kept, { tools: [] }));
}

/** An end that names a prompt proves that it was accepted, and takes its RPC for over where it was muted (S56, S59). */
function proven(record: SessionRecord, generation: Generation): SessionRecord {
  const execution = current(record);
  const heard = execution?.muted === generation ? unmute(record, execution.id) : record;
  const begun = beginNamed(heard, generation);
  return begun.inFlight === generation
    ? withCycle(recordWith(begun, { inFlight: null }), { predecessor: null })
    : begun;
}

/** The provider completed this generation: its blocking work is over; what still runs holds the foreground (S6, S13). */
export function complete(record: SessionRecord, generation: Generation, stopReason: string | null): SessionRecord {
  const named = proven(record, generation);
  const cycle = cycleOf(named.foreground);
  if (cycle?.generation !== generation || cycle.completed) return named;
  const completed = withCycle(sweep(named, generation), {
    completed: true,
    stopReason: stopReason ?? cycle.stopReason,
  });
  // It ended before it had begun, and nothing else is at work that could still say so.
  const unbegun = record.foreground.kind === 'claimed' && cycle.rpc === 'none' && !isBusy(current(named));
  return unbegun ? free(completed, null) : completed;
}

/** The RPC of this prompt was answered. In v1 that is the turn's end, together with the reported idle (S78). */
export function settleRpc(
  record: SessionRecord,
  generation: Generation,
  now: Now & { stopReason: string },
): SessionRecord {
  const named = proven(record, generation);
  const ground = groundOf(named);
  if (ground.kind === 'free') return named;
  const { cycle } = ground;
  // The predecessor's late answer is suppressed; only there is nothing left to give back to (S63).
  if (cycle.predecessor?.generation === generation) return withCycle(named, { predecessor: null });
  if (cycle.generation !== generation || cycle.rpc !== 'open') return named;
  const settled = withCycle(named, { rpc: 'settled', stopReason: now.stopReason });
  const idle = ground.kind === 'yielded' || cycle.idleAttested || cycle.idleOn.length > 0;
  return idle || !isBusy(current(named))
    ? free(settled, now.stopReason)
    : withCycle(settled, { endDueAt: now.at + SECOND_END_AFTER_MS });
}

function isBusy(execution: Execution | undefined): boolean {
  const busy = (level: LevelState | null) => level !== null && level !== 'idle';
  return execution !== undefined && (busy(execution.levels.state) || busy(execution.levels.raw));
}

/** A level says running: what it begins takes the foreground without a gap (S13). */
export function levelRan(record: SessionRecord, level: Level, now: Now): SessionRecord {
  const execution = current(record);
  const ground = groundOf(record);
  if (ground.kind === 'free') return execution?.muted == null ? beginAgentCycle(record, now, { level }) : record;
  const { cycle } = ground;
  const over = cycle.completed && cycle.rpc !== 'open' && cycle.idleOn.includes('state');
  if (over) return takeOver(record, level, now);
  const known = cycle.ranOn.includes(level) && cycle.idleOn.length === 0 && cycle.endDueAt === null;
  if (ground.kind === 'held' && known && !cycle.idleAttested) return record;
  const ranOn = cycle.ranOn.includes(level) ? cycle.ranOn : [...cycle.ranOn, level];
  const idleOn = cycle.idleOn.filter((each) => each !== level);
  return withGround(record, {
    kind: 'held',
    cycle: cycleWith(cycle, { ranOn, idleOn, endDueAt: null, idleAttested: false }),
  });
}

function takeOver(record: SessionRecord, level: Level, now: Now): SessionRecord {
  const freed = free(record, null);
  return groundOf(freed).kind === 'free' ? beginAgentCycle(freed, now, { level }) : freed;
}

/** A level says idle: an end, unless more is needed for it (S13, S78). */
export function levelIdled(
  record: SessionRecord,
  level: Level,
  now: Now & { stopReason: string | null },
): SessionRecord {
  const ground = groundOf(record);
  if (ground.kind !== 'held') return record;
  const { cycle } = ground;
  const idleOn = cycle.idleOn.includes(level) ? cycle.idleOn : [...cycle.idleOn, level];
  const endDueAt = cycle.endDueAt ?? (current(record)?.traits.levels === 2 ? now.at + SECOND_END_AFTER_MS : null);
  return endIfOver(withCycle(record, { idleOn, endDueAt, stopReason: now.stopReason ?? cycle.stopReason }), null);
}

/** Frees the foreground when all ends that its surface gives have come, or time is over for the rest. */
export function endIfOver(record: SessionRecord, at: Millis | null): SessionRecord {
  const ground = groundOf(record);
  const execution = current(record);
  if (ground.kind !== 'held' || execution === undefined) return record;
  const { cycle } = ground;
  const due = at !== null && cycle.endDueAt !== null && cycle.endDueAt <= at;
  if (cycle.rpc === 'open') return due ? withCycle(record, { endDueAt: null }) : record;
  if (!due && cycle.idleOn.length === 0) return record;
  const first = execution.traits.levels < 2 || hasDetached(execution) || expectsFollowUp(execution);
  return due || first || cycle.idleOn.length === 2 ? free(record, null) : record;
}

/** What the parts of a record imply together: an end that work makes enough (S13), *yielded* with work only (S2, S5). */
export function balance(record: SessionRecord): SessionRecord {
  const ended = endIfOver(record, null);
  const ground = groundOf(ended);
  if (ground.kind === 'free') return ended;
  const { cycle } = ground;
  const detached = hasDetached(current(ended));
  // Work that appears after the last of it ended is no boundary (S3).
  if (ground.kind === 'yielded' && !detached) {
    return withGround(ended, { kind: 'held', cycle: cycleWith(cycle, { idleAttested: false }) });
  }
  const yields = ground.kind === 'held' && cycle.idleAttested && cycle.rpc === 'open' && detached;
  return yields ? withGround(ended, { kind: 'yielded', cycle }) : ended;
}

/** The provider attested idle for this generation (S5); counts only with the negotiated handoff. */
export function attestIdle(record: SessionRecord, generation: Generation): SessionRecord {
  const named = beginNamed(record, generation);
  const ground = groundOf(named);
  if (ground.kind !== 'held' || ground.cycle.generation !== generation || generation === 0) return named;
  return current(named)?.traits.handoff === true ? withCycle(named, { idleAttested: true }) : named;
}

/** Marks the cancellation of the turn at work, or of the one that is claimed; one at a time (S131). */
export function cancelTarget(record: SessionRecord, generation: Generation | null): SessionRecord {
  const { foreground } = record;
  const at = foreground.kind === 'claimed' ? foreground.claim.generation : cycleOf(foreground)?.generation;
  if (at === undefined || record.cancelling !== null || (generation !== null && generation !== at)) return record;
  return recordWith(record, { cancelling: at });
}
