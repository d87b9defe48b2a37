import type { WorkloadKind } from './attestation.ts';
import type { PromptOrigin, Rules, SessionState } from './event.ts';
import type { Level } from './fact.ts';
import type { ExecutionId, Generation, Millis, SessionId, TaskId } from './ids.ts';
import { type NameLog, NO_NAMES } from './name-log.ts';
import { NO_TRAITS, type Traits } from './traits.ts';
import type { SessionView } from './view.ts';

/** A live workload (S20). Registrations stand in order of `seq`, which is their age. */
export interface Registration {
  readonly seq: number;
  /** All names of this run; the first is its public id. */
  readonly names: readonly [string, ...string[]];
  readonly kind: WorkloadKind;
  readonly label: string;
  readonly startedAt: Millis;
  readonly lastEvidenceAt: Millis;
  readonly detached: boolean;
  readonly stoppable: boolean;
  /** Generation of the cycle that a foreground workload blocks; null when none was at work. */
  readonly generation: Generation | null;
  /** We asked for its stop. */
  readonly stopping: boolean;
}

/** Who a tool call belongs to (S40). */
export type Owner = 'foreground' | 'background' | 'child';

/** An open tool call and the generation that it was opened in; null when none was at work. */
export interface ToolCall {
  readonly id: string;
  readonly owner: Owner;
  readonly generation: Generation | null;
}

export type LevelState = 'running' | 'requires_action' | 'idle' | 'unknown';

/** What is known of one live execution; dropped as a whole when it ends (S110). */
export interface Execution {
  readonly id: ExecutionId;
  readonly traits: Traits;
  readonly opened: boolean;
  /** Its process is gone, its remains are not yet accounted for (S9). */
  readonly lost: boolean;
  readonly registrations: readonly Registration[];
  /** What frames said of runs that are not live, for when their start is told (S20). */
  readonly hints: readonly Registration[];
  /** Names of runs whose terminal was reported; they never live again (S27). */
  readonly ended: NameLog;
  /** Open calls, oldest first. */
  readonly tools: readonly ToolCall[];
  /** Rank of the list that decides; null while none was reported (S32). */
  readonly rosterRank: number | null;
  /** A cycle of it has ended: an agent that reports its work has done so by then. */
  readonly turnEnded: boolean;
  /** Listed with a terminal status: their follow-up is to come (S122). */
  readonly followUps: ReadonlySet<string>;
  /** Until when a wake is expected after the last end (S12). */
  readonly settleUntil: Millis | null;
  readonly mayWake: boolean;
  /** Last report of each level. */
  readonly levels: Readonly<Record<Level, LevelState | null>>;
  /** Run named by the latest `running` (S121). */
  readonly run: string | null;
  /** Idle was said since. */
  readonly runOver: boolean;
  /** A turn that was cancelled and never answered: its frames go to the transcript only (S131). */
  readonly muted: Generation | null;
}

/** A prompt or an agent-initiated cycle at work. */
export interface Cycle {
  readonly origin: PromptOrigin | 'agent';
  readonly generation: Generation;
  /** `none`: its RPC, if there was one, only acknowledges. */
  readonly rpc: 'open' | 'settled' | 'none';
  /** Levels that ran since it began: only their idle can be its end, any other is a late one (S13, S58). */
  readonly ranOn: readonly Level[];
  /** Levels that have said idle since it began (S13). */
  readonly idleOn: readonly Level[];
  /** When it ends although the other level, or the answer, has not come. */
  readonly endDueAt: Millis | null;
  /** Idle was attested for this generation before there was detached work to yield to (S5). */
  readonly idleAttested: boolean;
  /** The provider completed its generation (S6). */
  readonly completed: boolean;
  readonly run: string | null;
  readonly stopReason: string | null;
  /** Whom it took the foreground from, with an open RPC; kept until it is accepted, in case it is refused (S55). */
  readonly predecessor: Cycle | null;
}

export interface Claim {
  readonly generation: Generation;
  readonly origin: PromptOrigin;
  readonly executionId: ExecutionId;
  readonly dispatched: boolean;
}

/** A foreground that no claim stands before. */
export type Ground =
  | { readonly kind: 'free' }
  | { readonly kind: 'held'; readonly cycle: Cycle }
  | { readonly kind: 'yielded'; readonly cycle: Cycle };

/** Who has the foreground (S1). The predecessor sits inside the claim and keeps receiving its own events. */
export type Foreground = Ground | { readonly kind: 'claimed'; readonly claim: Claim; readonly under: Ground };

/** All liveness state of one session. */
export interface SessionRecord {
  readonly sessionId: SessionId;
  readonly taskId: TaskId;
  readonly rules: Rules;
  readonly state: SessionState;
  /** The execution that serves the session; frames of others touch neither foreground nor state (S112). */
  readonly executionId: ExecutionId | null;
  readonly stopReason: string | null;
  readonly error: string | null;
  /** False while a survivor of an earlier life is not yet ended (S141). */
  readonly accounted: boolean;
  readonly foreground: Foreground;
  /** The claim that the provider has not accepted yet (S50, S55). */
  readonly inFlight: Generation | null;
  /** The set of live executions is the gate: a frame of any other changes nothing (S45). */
  readonly executions: ReadonlyMap<ExecutionId, Execution>;
  /** Generation whose cancellation is pending (S131). */
  readonly cancelling: Generation | null;
  readonly nextSeq: number;
  /** What observers were last told; the difference to the next one is the publication. */
  readonly view: SessionView;
}

export const FREE: Ground = { kind: 'free' };

const NOTHING: ReadonlySet<never> = new Set();

/** A new execution begins with an empty registry, no owner, no run (S117). */
export function newExecution(id: ExecutionId): Execution {
  return {
    id,
    traits: NO_TRAITS,
    opened: false,
    lost: false,
    registrations: [],
    hints: [],
    ended: NO_NAMES,
    tools: [],
    rosterRank: null,
    turnEnded: false,
    followUps: NOTHING,
    settleUntil: null,
    mayWake: false,
    levels: { state: null, raw: null },
    run: null,
    runOver: true,
    muted: null,
  };
}

/** The execution that serves the session; undefined when none is live. */
export function current(record: SessionRecord): Execution | undefined {
  return record.executionId === null ? undefined : record.executions.get(record.executionId);
}

/** The record with this execution in place of the one of its id; the same record when nothing changed. */
export function withExecution(record: SessionRecord, execution: Execution): SessionRecord {
  const { executions } = record;
  const before = executions.get(execution.id);
  if (before === execution) return record;
  // It nearly always serves alone, and to copy a map takes longer than the rest of the step.
  const others = before !== undefined && executions.size === 1 ? null : executions;
  return recordWith(record, { executions: new Map(others).set(execution.id, execution) });
}

/** Generation that frames without an id belong to now: the cycle's at work, else the claimed one (S57). */
export function generationAtWork({ foreground }: SessionRecord): Generation | null {
  const claimed = foreground.kind === 'claimed' ? foreground.claim.generation : null;
  return cycleOf(foreground)?.generation ?? claimed;
}

/** The cycle at work, claimed-over ones included. */
export function cycleOf(foreground: Foreground): Cycle | null {
  const ground = foreground.kind === 'claimed' ? foreground.under : foreground;
  return ground.kind === 'free' ? null : ground.cycle;
}

/** True when something detached is live (S1). */
export function hasDetached(execution: Execution | undefined): boolean {
  return execution?.registrations.some((one) => one.detached) ?? false;
}

/** True when a wake or another follow-up is to come (S12). */
export function expectsFollowUp(execution: Execution | undefined): boolean {
  return execution !== undefined && (execution.followUps.size > 0 || execution.settleUntil !== null);
}

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
