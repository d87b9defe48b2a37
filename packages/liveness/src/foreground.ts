import type { Level } from './fact.ts';
import type { Generation, Millis, Tick } from './ids.ts';
import {
  type Claim,
  type Cycle,
  current,
  cycleOf,
  type Execution,
  FREE,
  type Foreground,
  type Ground,
  hasDetached,
  type LevelState,
  type SessionRecord,
  withExecution,
} from './record.ts';
import { retain } from './registrations.ts';

/** How long the second of two levels, or the answer of an RPC, is waited for after the first end (S13). */
export const SECOND_END_AFTER_MS = 2000;

/** One moment of the shell's time and of the only clock. */
export interface Now {
  readonly at: Millis;
  readonly tick: Tick;
}

/** The record with another ground: under the claim where one stands, else as the foreground itself. */
export function withGround(record: SessionRecord, ground: Ground): SessionRecord {
  const { foreground } = record;
  const next: Foreground = foreground.kind === 'claimed' ? { ...foreground, under: ground } : ground;
  return { ...record, foreground: next };
}

/** The foreground as it is without the claim that stands before it. */
export function groundOf(record: SessionRecord): Ground {
  return record.foreground.kind === 'claimed' ? record.foreground.under : record.foreground;
}

function withCycle(record: SessionRecord, change: Partial<Cycle>): SessionRecord {
  const ground = groundOf(record);
  return ground.kind === 'free' ? record : withGround(record, { ...ground, cycle: { ...ground.cycle, ...change } });
}

function newCycle(generation: Generation, origin: Cycle['origin'], rpc: Cycle['rpc']): Cycle {
  return {
    origin,
    generation,
    rpc,
    idleOn: [],
    endDueAt: null,
    idleAttested: false,
    completed: false,
    run: null,
    stopReason: null,
  };
}

/** Whatever takes the foreground ends the expectation of a follow-up (S12). */
function expectNothing(record: SessionRecord): SessionRecord {
  const execution = current(record);
  if (execution === undefined || (execution.settleUntil === null && execution.followUps.size === 0)) return record;
  return withExecution(record, { ...execution, settleUntil: null, followUps: new Set() });
}

/** A cycle that nobody prompted takes the foreground, where the adapter declares an end for it (S4). */
export function beginAgentCycle(record: SessionRecord, now: Now, run: string | null): SessionRecord {
  if (current(record)?.traits.agentCycles !== true) return record;
  const cycle = { ...newCycle(now.tick, 'agent', 'none'), run };
  const begun = expectNothing(withGround(record, { kind: 'held', cycle }));
  return begun.state === 'waiting_for_input' ? { ...begun, state: 'running', stopReason: null } : begun;
}

/** Known top-level output: the foreground is held (S4), a remembered idle is forgotten (S5). */
export function spoke(record: SessionRecord, now: Now): SessionRecord {
  const execution = current(record);
  if (execution === undefined || execution.muted !== null) return record;
  const { foreground } = record;
  if (takesHandoff(foreground, execution)) return spoke(begin(record, foreground.claim), now);
  const ground = groundOf(record);
  const heard = ground.kind === 'free' && !execution.traits.agentCycles ? record : levelHeard(record, execution);
  if (ground.kind === 'free') return beginAgentCycle(heard, now, null);
  if (ground.kind === 'held' && !ground.cycle.idleAttested) return heard;
  return withGround(heard, { kind: 'held', cycle: { ...ground.cycle, idleAttested: false } });
}

/** In plain v1 the first output after the write belongs to the successor of a yielded prompt (S57). */
function takesHandoff(
  foreground: Foreground,
  execution: Execution,
): foreground is Extract<Foreground, { kind: 'claimed' }> {
  return (
    foreground.kind === 'claimed' &&
    foreground.claim.dispatched &&
    execution.traits.begins === 'written' &&
    foreground.under.kind === 'yielded'
  );
}

/**
 * Output is running, also where the agent did not say so: the idle that follows is an end. Where the RPC ends the turn
 * (v1), a level that was never reported is not made up.
 */
function levelHeard(record: SessionRecord, execution: Execution): SessionRecord {
  const { levels, traits } = execution;
  if (traits.levels === 0) return record;
  const level: Level = traits.rpc === 'held' && levels.raw !== null ? 'raw' : 'state';
  const quiet = levels[level] === 'idle' || (levels[level] === null && traits.rpc === 'receipt');
  return quiet ? withExecution(record, { ...execution, levels: { ...levels, [level]: 'running' } }) : record;
}

/** The claimed prompt becomes the cycle at work (S57). What it replaces owns an RPC at most. */
export function begin(record: SessionRecord, claim: Claim): SessionRecord {
  const execution = record.executions.get(claim.executionId);
  const rpc = execution?.traits.rpc === 'held' ? 'open' : 'none';
  const cycle = newCycle(claim.generation, claim.origin, rpc);
  const begun = expectNothing({ ...record, state: 'running', foreground: { kind: 'held', cycle } });
  return unmute(begun);
}

/** A dispatched v1 prompt begins once nothing stands before it (S57). */
export function beginIfClear(record: SessionRecord): SessionRecord {
  const { foreground } = record;
  if (foreground.kind !== 'claimed' || !foreground.claim.dispatched || foreground.under.kind !== 'free') return record;
  return current(record)?.traits.begins === 'written' ? begin(record, foreground.claim) : record;
}

/** The foreground is freed: its generation completes, at most once (S6). */
export function free(record: SessionRecord, stopReason: string | null): SessionRecord {
  const cycle = cycleOf(record.foreground);
  if (cycle === null) return record;
  const cancelled = record.cancelling === cycle.generation;
  const reason = cancelled ? 'cancelled' : (stopReason ?? cycle.stopReason);
  const swept = sweep(record, cycle.generation, cancelled);
  const freed = withGround({ ...swept, cancelling: cancelled ? null : record.cancelling }, FREE);
  if (freed.foreground.kind !== 'free') return beginIfClear(freed);
  return { ...freed, state: freed.state === 'running' ? 'waiting_for_input' : freed.state, stopReason: reason };
}

/** Prompt-end cleanup, scoped by generation (S65); a cancel also retires the kinds that die with it. */
export function sweep(record: SessionRecord, generation: Generation, cancelled: boolean): SessionRecord {
  const execution = current(record);
  if (execution === undefined) return record;
  const kills = cancelled ? execution.traits.cancelKills : [];
  const kept = retain(execution, (one) =>
    one.detached ? !kills.includes(one.kind) : one.generation !== null && one.generation !== generation,
  );
  const foreground = [...kept.tools.values()].includes('foreground');
  if (!foreground) return withExecution(record, kept);
  const tools = new Map([...kept.tools].filter(([, owner]) => owner !== 'foreground'));
  return withExecution(record, { ...kept, tools });
}

/** The provider completed this generation: nothing is freed by it, its blocking work is over (S6, S13). */
export function complete(record: SessionRecord, generation: Generation, stopReason: string | null): SessionRecord {
  const cycle = cycleOf(record.foreground);
  if (cycle?.generation !== generation || cycle.completed) return record;
  const swept = sweep(record, generation, false);
  return endIfOver(withCycle(swept, { completed: true, stopReason: stopReason ?? cycle.stopReason }), null);
}

/** The RPC of this prompt was answered. In v1 that is the turn's end, together with the reported idle (S78). */
export function settleRpc(record: SessionRecord, generation: Generation, now: Now & { stopReason: string }): SessionRecord {
  const heard = current(record)?.muted === generation ? unmute(record) : record;
  const cycle = cycleOf(heard.foreground);
  if (cycle?.generation !== generation || cycle.rpc !== 'open') return heard;
  const settled = withCycle(heard, { rpc: 'settled', stopReason: now.stopReason });
  const levels = current(settled)?.levels;
  const busy = isBusy(levels?.state) || isBusy(levels?.raw);
  return busy && cycle.idleOn.length === 0 && !cycle.idleAttested
    ? withCycle(settled, { endDueAt: now.at + SECOND_END_AFTER_MS })
    : free(settled, now.stopReason);
}

/** The turn that was cancelled and not answered is over: what comes from now on is heard (S131). */
function unmute(record: SessionRecord): SessionRecord {
  const execution = current(record);
  return execution?.muted == null ? record : withExecution(record, { ...execution, muted: null });
}

const isBusy = (level: LevelState | null | undefined): boolean => level != null && level !== 'idle';

/** A level says running: what it begins takes the foreground without a gap (S13). */
export function levelRan(record: SessionRecord, level: Level, now: Now): SessionRecord {
  const execution = current(record);
  const ground = groundOf(record);
  if (ground.kind === 'free') return execution?.muted == null ? beginAgentCycle(record, now, null) : record;
  const { cycle } = ground;
  if (cycle.completed && cycle.rpc !== 'open' && cycle.idleOn.includes('state')) {
    const freed = free(record, null);
    return groundOf(freed).kind === 'free' ? beginAgentCycle(freed, now, null) : freed;
  }
  if (!cycle.idleAttested && cycle.idleOn.length === 0 && cycle.endDueAt === null) return record;
  const idleOn = cycle.idleOn.filter((each) => each !== level);
  return withGround(record, { kind: 'held', cycle: { ...cycle, idleOn, endDueAt: null, idleAttested: false } });
}

/** A level says idle: an end, unless more is needed for it (S13, S78). */
export function levelIdled(muted: SessionRecord, level: Level, now: Now & { stopReason: string | null }): SessionRecord {
  const record = unmute(muted);
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
  if (cycle.rpc === 'open') return record;
  const due = at !== null && cycle.endDueAt !== null && cycle.endDueAt <= at;
  if (!due && cycle.idleOn.length === 0) return record;
  const enough = execution.traits.levels < 2 || hasDetached(execution) || cycle.idleOn.length === 2;
  return due || enough ? free(record, null) : record;
}

/** *Held* becomes *yielded* on an attested idle with detached work, and back without (S2, S5). */
export function balance(record: SessionRecord): SessionRecord {
  const ground = groundOf(record);
  if (ground.kind === 'free') return record;
  const detached = hasDetached(current(record));
  if (ground.kind === 'yielded') return detached ? record : withGround(record, { kind: 'held', cycle: ground.cycle });
  const yields = ground.cycle.idleAttested && ground.cycle.rpc === 'open' && detached;
  return yields ? withGround(record, { kind: 'yielded', cycle: ground.cycle }) : record;
}

/** The provider attested idle for this generation (S5); counts only with the negotiated handoff. */
export function attestIdle(record: SessionRecord, generation: Generation): SessionRecord {
  const ground = groundOf(record);
  if (ground.kind !== 'held' || ground.cycle.generation !== generation || generation === 0) return record;
  return current(record)?.traits.handoff === true ? withCycle(record, { idleAttested: true }) : record;
}

/** Marks the cancellation of the turn at work, or of the one that is claimed; one at a time (S131). */
export function cancelTarget(record: SessionRecord, generation: Generation | null): SessionRecord {
  const { foreground } = record;
  const at = foreground.kind === 'claimed' ? foreground.claim.generation : cycleOf(foreground)?.generation;
  if (at === undefined || record.cancelling !== null || (generation !== null && generation !== at)) return record;
  return { ...record, cancelling: at };
}
