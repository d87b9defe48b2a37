import type { Cycle, Execution, SessionRecord } from './record.ts';

// Each copy lists its fields: V8 makes an object of this many fields from a literal about ten times faster than from a
// spread with overrides, and most of what a step costs is copies (`pnpm bench apply`). A field left out does not compile.

/** The record with these fields in place of its own. */
export function recordWith(of: SessionRecord, change: Partial<SessionRecord>): SessionRecord {
  const copy: SessionRecord = {
    sessionId: of.sessionId,
    taskId: of.taskId,
    rules: of.rules,
    state: of.state,
    executionId: of.executionId,
    stopReason: of.stopReason,
    error: of.error,
    accounted: of.accounted,
    foreground: of.foreground,
    inFlight: of.inFlight,
    executions: of.executions,
    cancelling: of.cancelling,
    nextSeq: of.nextSeq,
    view: of.view,
  };
  return Object.assign(copy, change);
}

/** The execution with these fields in place of its own. */
export function executionWith(of: Execution, change: Partial<Execution>): Execution {
  const copy: Execution = {
    id: of.id,
    traits: of.traits,
    opened: of.opened,
    lost: of.lost,
    registrations: of.registrations,
    hints: of.hints,
    ended: of.ended,
    tools: of.tools,
    rosterRank: of.rosterRank,
    turnEnded: of.turnEnded,
    followUps: of.followUps,
    settleUntil: of.settleUntil,
    mayWake: of.mayWake,
    levels: of.levels,
    run: of.run,
    runOver: of.runOver,
    muted: of.muted,
  };
  return Object.assign(copy, change);
}

/** The cycle with these fields in place of its own. */
export function cycleWith(of: Cycle, change: Partial<Cycle>): Cycle {
  const copy: Cycle = {
    origin: of.origin,
    generation: of.generation,
    rpc: of.rpc,
    ranOn: of.ranOn,
    idleOn: of.idleOn,
    endDueAt: of.endDueAt,
    idleAttested: of.idleAttested,
    completed: of.completed,
    run: of.run,
    stopReason: of.stopReason,
    predecessor: of.predecessor,
  };
  return Object.assign(copy, change);
}
