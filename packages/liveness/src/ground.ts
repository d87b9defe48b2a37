import type { Level } from './fact.ts';
import type { Generation, Millis, Tick } from './ids.ts';
import {
  type Claim,
  type Cycle,
  current,
  cycleWith,
  type Execution,
  executionWith,
  type Foreground,
  type Ground,
  recordWith,
  type SessionRecord,
  withExecution,
} from './record.ts';

/** One moment of the shell's time and of the only clock. */
export interface Now {
  readonly at: Millis;
  readonly tick: Tick;
}

/** The record with another ground: under the claim where one stands, else as the foreground itself. */
export function withGround(record: SessionRecord, ground: Ground): SessionRecord {
  const { foreground } = record;
  const next: Foreground = foreground.kind === 'claimed' ? { ...foreground, under: ground } : ground;
  return recordWith(record, { foreground: next });
}

/** The foreground as it is without the claim that stands before it. */
export function groundOf(record: SessionRecord): Ground {
  return record.foreground.kind === 'claimed' ? record.foreground.under : record.foreground;
}

export function withCycle(record: SessionRecord, change: Partial<Cycle>): SessionRecord {
  const ground = groundOf(record);
  return ground.kind === 'free'
    ? record
    : withGround(record, { kind: ground.kind, cycle: cycleWith(ground.cycle, change) });
}

function newCycle(generation: Generation, origin: Cycle['origin'], rpc: Cycle['rpc']): Cycle {
  return {
    origin,
    generation,
    rpc,
    ranOn: [],
    idleOn: [],
    endDueAt: null,
    idleAttested: false,
    completed: false,
    run: null,
    stopReason: null,
    predecessor: null,
  };
}

/** Whatever takes the foreground ends the expectation of a follow-up (S12). */
function expectNothing(record: SessionRecord): SessionRecord {
  const execution = current(record);
  if (execution === undefined || (execution.settleUntil === null && execution.followUps.size === 0)) return record;
  return withExecution(record, executionWith(execution, { settleUntil: null, followUps: new Set() }));
}

/** A cycle that nobody prompted takes the foreground, where the adapter declares an end for it (S4). */
export function beginAgentCycle(record: SessionRecord, now: Now, by: { level: Level; run?: string }): SessionRecord {
  if (current(record)?.traits.agentCycles !== true) return record;
  const cycle = cycleWith(newCycle(now.tick, 'agent', 'none'), { ranOn: [by.level], run: by.run ?? null });
  const begun = expectNothing(withGround(record, { kind: 'held', cycle }));
  return begun.state === 'waiting_for_input' ? recordWith(begun, { state: 'running', stopReason: null }) : begun;
}

/** The claimed prompt becomes the cycle at work (S57). Until it is accepted, a predecessor may yet be given back (S55). */
export function begin(record: SessionRecord, claim: Claim): SessionRecord {
  const execution = record.executions.get(claim.executionId);
  const ground = groundOf(record);
  const owns = record.inFlight === claim.generation && ground.kind !== 'free' && ground.cycle.rpc === 'open';
  const cycle = cycleWith(
    newCycle(claim.generation, claim.origin, execution?.traits.rpc === 'held' ? 'open' : 'none'),
    {
      // Folded into a turn that has not ended on any level, it ends with that turn's levels.
      ranOn: ground.kind === 'held' && ground.cycle.idleOn.length === 0 ? ground.cycle.ranOn : [],
      predecessor: owns ? ground.cycle : null,
    },
  );
  const begun = expectNothing(recordWith(record, { state: 'running', foreground: { kind: 'held', cycle } }));
  return execution === undefined ? begun : unmute(begun, execution.id);
}

/** A frame that names the claimed prompt begins it, even if it beats the acknowledgement (S54, S59). */
export function beginNamed(record: SessionRecord, generation: Generation): SessionRecord {
  const { foreground } = record;
  const named = foreground.kind === 'claimed' && foreground.claim.generation === generation;
  return named ? begin(record, foreground.claim) : record;
}

/** A dispatched v1 prompt begins once nothing stands before it (S57). */
export function beginIfClear(record: SessionRecord): SessionRecord {
  const { foreground } = record;
  if (foreground.kind !== 'claimed' || !foreground.claim.dispatched || foreground.under.kind !== 'free') return record;
  return current(record)?.traits.begins === 'written' ? begin(record, foreground.claim) : record;
}

/** In a handoff the first output after the write belongs to the successor (S57). */
export function beginSuccessor(record: SessionRecord): SessionRecord {
  const { foreground } = record;
  if (foreground.kind !== 'claimed' || !foreground.claim.dispatched || foreground.under.kind === 'free') return record;
  const handsOver = foreground.under.cycle.rpc === 'open' && current(record)?.traits.begins === 'written';
  return handsOver ? begin(record, foreground.claim) : record;
}

/** The state of a session that no claim stands in: a claim given back before its agent was open leaves it starting (S11). */
export function rested(record: SessionRecord): SessionRecord {
  const { state, foreground } = record;
  if (foreground.kind === 'claimed' || (state !== 'running' && state !== 'starting')) return record;
  if (state === 'starting' && current(record)?.opened !== true) return record;
  return recordWith(record, { state: foreground.kind === 'free' ? 'waiting_for_input' : 'running' });
}

/** What is heard of this execution counts again: the turn that was cancelled is over (S131). */
export function unmute(record: SessionRecord, executionId: string): SessionRecord {
  const execution = record.executions.get(executionId);
  return execution?.muted == null ? record : withExecution(record, executionWith(execution, { muted: null }));
}

/** True when a level tells more than the frames of a turn do. */
export function reportsLevel({ levels, traits }: Execution): boolean {
  return traits.levels > 0 || levels.state !== null || levels.raw !== null;
}

/** The level that output speaks for. */
export function levelOfOutput({ levels, traits }: Execution): Level {
  return traits.rpc === 'held' && levels.raw !== null ? 'raw' : 'state';
}
