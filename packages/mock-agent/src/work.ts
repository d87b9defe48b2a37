import { identity } from './identity.ts';

/** Kinds of work that a script can start. */
export type WorkKind = 'shell' | 'subagent' | 'monitor';

/** How a piece of work stands. `killed`: it was stopped, by a cancel or by the client. */
export type WorkStatus = 'running' | 'completed' | 'failed' | 'killed';

/** One run of a shell, subagent or monitor. */
export interface Work {
  readonly kind: WorkKind;
  readonly name: string;
  /** The launching tool call; also the terminal id of a shell. */
  readonly toolCallId: string;
  /** The provider's task id; also the child session id of a subagent. */
  readonly taskId: string;
  readonly runId: string;
  /** The call that a subagent itself makes. */
  readonly childCallId: string;
  readonly detached: boolean;
  /** Milliseconds until it ends by itself; absent when a gate ends it. */
  readonly milliseconds: number | undefined;
  readonly exitCode: number;
  readonly stop: AbortController;
  status: WorkStatus;
  /** Its terminal is never sent. */
  lost: boolean;
  /** Its terminal is sent twice. */
  duplicated: boolean;
  /** Its wake comes, and ends, when gates say so. */
  lingers: boolean;
  /** A monitor's event that has not been delivered yet. */
  eventPending: boolean;
}

/** What a script says about a piece of work. */
export interface WorkOrder {
  readonly kind: WorkKind;
  readonly name: string;
  readonly detached: boolean;
  readonly milliseconds: number | undefined;
  readonly exitCode: number;
}

/** Makes a running piece of work with fresh ids. */
export function startWork(order: WorkOrder): Work {
  return {
    ...order,
    toolCallId: identity.toolCall(),
    taskId: order.kind === 'subagent' ? identity.agentTask() : identity.shellTask(),
    runId: identity.run(),
    childCallId: identity.toolCall(),
    stop: new AbortController(),
    status: 'running',
    lost: false,
    duplicated: false,
    lingers: false,
    eventPending: false,
  };
}
