import type { Fact, Level } from './fact.ts';
import { free, levelIdled, levelRan } from './foreground.ts';
import { begin, beginAgentCycle, groundOf, type Now, withCycle } from './ground.ts';
import { current, cycleOf, type Execution, executionWith, type SessionRecord, withExecution } from './record.ts';

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
  const { level, runId } = fact;
  if (runId !== undefined) return runNamed(heard, { level, runId, foreign: fact.agentInitiated === true }, now);
  return before === fact.state && isListUpdate(heard, fact) ? heard : levelRan(heard, level, now);
}

/** An idle that names a run which is not the latest is of none; `running` of a run that is over is a list update (S121). */
function isStale(execution: Execution, fact: ForegroundFact): boolean {
  if (fact.runId === undefined) return false;
  return fact.state === 'idle' ? fact.runId !== execution.run : fact.runId === execution.run && execution.runOver;
}

/** With idle, the run that was named is over, and so is a turn that was cancelled and never answered (S131). */
function hear(execution: Execution, { level, state }: ForegroundFact): Execution {
  const idle = state === 'idle';
  const settles = idle && (!execution.runOver || execution.muted !== null);
  if (execution.levels[level] === state && !settles) return execution;
  return executionWith(execution, {
    levels: { ...execution.levels, [level]: state },
    runOver: idle || execution.runOver,
    muted: idle ? null : execution.muted,
  });
}

/**
 * An idle that follows idle is a list update; the first report states the present (S121); a run ends only itself; and an
 * idle on a level that has not run since the cycle began is the late one of the cycle before (S13, S58).
 */
function endsSomething(record: SessionRecord, fact: ForegroundFact, before: string | null): boolean {
  const execution = current(record);
  const cycle = cycleOf(record.foreground);
  if (cycle === null || execution === undefined || before === 'idle') return false;
  if (before === null ? fact.stopReason === undefined : !cycle.ranOn.includes(fact.level)) return false;
  return execution.runOver || cycle.run === execution.run;
}

/** The protocol's level repeats itself with each list; that puts no end off. Raw says it again for each new request. */
function isListUpdate(record: SessionRecord, { level }: ForegroundFact): boolean {
  const ground = groundOf(record);
  if (level !== 'state' || ground.kind !== 'held') return false;
  return ground.cycle.ranOn.includes(level) && !ground.cycle.idleAttested;
}

interface Run {
  readonly level: Level;
  readonly runId: string;
  /** It names an origin that is not the claimed prompt. */
  readonly foreign: boolean;
}

/** `running` names a run: the claimed prompt's, the cycle's at work, or a new one of the agent's own (S121). */
function runNamed(record: SessionRecord, named: Run, now: Now): SessionRecord {
  const execution = current(record);
  if (execution === undefined || named.runId === execution.run) return record;
  const { level, runId, foreign } = named;
  const known = withExecution(record, executionWith(execution, { run: runId, runOver: false }));
  const bound = foreign ? known : beginDispatched(known);
  const ground = groundOf(bound);
  if (ground.kind === 'free') return beginAgentCycle(bound, now, { level, run: runId });
  const { cycle } = ground;
  const own = cycle.origin === 'agent';
  if (cycle.run === null && (own || !foreign)) {
    return withCycle(levelRan(bound, level, now), { run: runId });
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
