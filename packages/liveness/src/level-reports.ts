import type { Fact } from './fact.ts';
import { free, levelIdled, levelRan } from './foreground.ts';
import { begin, beginAgentCycle, groundOf, type Now, withGround } from './ground.ts';
import { current, cycleOf, type Execution, type SessionRecord, withExecution } from './record.ts';

type ForegroundFact = Extract<Fact, { kind: 'foreground' }>;

/** A report of the foreground's level: `running` begins or continues, `idle` ends what it is of (S13, S121). */
export function reported(record: SessionRecord, fact: ForegroundFact, now: Now): SessionRecord {
  const execution = current(record);
  if (execution === undefined || isStale(execution, fact)) return record;
  const before = execution.levels[fact.level];
  const heard = withExecution(record, hear(execution, fact));
  if (fact.state === 'idle') {
    const idled = { ...now, stopReason: fact.stopReason ?? null };
    return endsSomething(record, fact, before) ? levelIdled(heard, fact.level, idled) : heard;
  }
  if (fact.runId !== undefined)
    return runNamed(heard, { runId: fact.runId, foreign: fact.agentInitiated === true }, now);
  return before === fact.state && isListUpdate(heard, fact) ? heard : levelRan(heard, fact.level, now);
}

/** An idle that names a run which is not the latest is of none; `running` of a run that is over is a list update (S121). */
function isStale(execution: Execution, fact: ForegroundFact): boolean {
  if (fact.runId === undefined) return false;
  return fact.state === 'idle' ? fact.runId !== execution.run : fact.runId === execution.run && execution.runOver;
}

/** With idle, the run that was named is over, and so is a turn that was cancelled and never answered (S131). */
function hear(execution: Execution, { level, state }: ForegroundFact): Execution {
  const idle = state === 'idle';
  if (execution.levels[level] === state && !(idle && (!execution.runOver || execution.muted !== null)))
    return execution;
  return {
    ...execution,
    levels: { ...execution.levels, [level]: state },
    runOver: idle || execution.runOver,
    muted: idle ? null : execution.muted,
  };
}

/** An idle that follows idle is a list update; the first report states the present (S121); a run ends only itself. */
function endsSomething(record: SessionRecord, fact: ForegroundFact, before: string | null): boolean {
  if (before === 'idle' || (before === null && fact.stopReason === undefined)) return false;
  const execution = current(record);
  const own = cycleOf(record.foreground)?.run ?? null;
  return execution !== undefined && (execution.runOver || execution.run === own);
}

/** The protocol's level repeats itself with each list; that puts no end off. Raw says it again for each new request. */
function isListUpdate(record: SessionRecord, { level }: ForegroundFact): boolean {
  const ground = groundOf(record);
  return level === 'state' && ground.kind === 'held' && !ground.cycle.idleAttested;
}

/** `running` names a run: the claimed prompt's, the cycle's at work, or a new one of the agent's own (S121). */
function runNamed(record: SessionRecord, named: { runId: string; foreign: boolean }, now: Now): SessionRecord {
  const execution = current(record);
  if (execution === undefined || named.runId === execution.run) return record;
  const { runId, foreign } = named;
  const known = withExecution(record, { ...execution, run: runId, runOver: false });
  const bound = foreign ? known : beginDispatched(known);
  const ground = groundOf(bound);
  if (ground.kind === 'free') return beginAgentCycle(bound, now, runId);
  const { cycle } = ground;
  const own = cycle.origin === 'agent';
  if (cycle.run === null && (own || !foreign)) {
    return withGround(bound, { kind: 'held', cycle: { ...cycle, run: runId, idleAttested: false } });
  }
  // The agent's own cycle gives way to its next run; a prompt's never does.
  return own ? runNamed(free(record, null), named, now) : bound;
}

/** The first run after a dispatch that has none yet is the claimed prompt's (S121). */
function beginDispatched(record: SessionRecord): SessionRecord {
  const { foreground } = record;
  const waits = foreground.kind === 'claimed' && foreground.claim.dispatched && foreground.under.kind === 'free';
  return waits ? begin(record, foreground.claim) : record;
}
