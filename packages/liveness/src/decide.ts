import { admit } from './admission.ts';
import { expireCancel, release } from './claims.ts';
import type { EndCause, LivenessEvent, SessionState } from './event.ts';
import { differs, readsAlike, viewOf } from './expose.ts';
import { balance, cancelTarget, endIfOver } from './foreground.ts';
import { receive, settle } from './frame.ts';
import { beginIfClear, type Now, rested } from './ground.ts';
import type { Tick } from './ids.ts';
import {
  current,
  cycleOf,
  executionWith,
  FREE,
  newExecution,
  recordWith,
  type SessionRecord,
  withExecution,
} from './record.ts';
import { amend } from './registrations.ts';
import type { SessionView } from './view.ts';

type EventOf<T extends LivenessEvent['type']> = Extract<LivenessEvent, { type: T }>;

/** What a step changed for observers of the session (S100). */
export type Transition = 'session.created' | 'session.activity_changed' | 'session.state_changed' | 'session.updated';

/** A record after an event. `null` stands for a session that is not loaded. The same record means that nothing changed. */
export interface Decision {
  readonly record: SessionRecord | null;
  readonly transitions: readonly Transition[];
}

/**
 * The core: what an event makes of a session. Pure, synchronous and total; it never throws. `tick` numbers the step:
 * it becomes the generation of a claim and the revision of a changed pair (ARCHITECTURE: one clock).
 */
export function decide(record: SessionRecord | null, event: LivenessEvent, tick: Tick): Decision {
  if (event.type === 'session.loaded') {
    if (record !== null) return { record, transitions: [] };
    return { record: load(event, tick), transitions: event.created ? ['session.created'] : [] };
  }
  if (record === null || event.type === 'session.removed') return { record: null, transitions: [] };
  const now: Now = { at: event.at, tick };
  const stepped = step(record, event, now);
  return stepped === record
    ? { record, transitions: [] }
    : publish(record, settle(record, balance(stepped), now), tick);
}

function step(
  record: SessionRecord,
  event: Exclude<LivenessEvent, EventOf<'session.loaded'>>,
  now: Now,
): SessionRecord {
  switch (event.type) {
    case 'session.removed':
      return record;
    case 'session.accounted':
      return record.accounted ? record : recordWith(record, { accounted: true });
    case 'prompt.claimed':
      return claim(record, event, now);
    case 'prompt.dispatched':
      return dispatch(record, event.generation);
    case 'prompt.released':
      return release(record, event.generation);
    case 'execution.opened':
      return open(record, event);
    case 'frame.received':
      return receive(record, event, now);
    case 'execution.lost':
      return lose(record, event.executionId);
    case 'execution.ended':
      return end(record, event);
    case 'cancel.requested':
      return cancelTarget(record, event.generation);
    case 'cancel.expired':
      return expireCancel(record, event.generation);
    case 'stop.requested':
      return stop(record, event);
    case 'time.passed':
      return passTime(record, now);
  }
}

function load(event: EventOf<'session.loaded'>, tick: Tick): SessionRecord {
  const unread: Omit<SessionRecord, 'view'> = {
    sessionId: event.sessionId,
    taskId: event.taskId,
    rules: event.rules,
    state: event.state,
    executionId: null,
    stopReason: event.stopReason,
    error: event.error,
    accounted: !event.unknown,
    foreground: FREE,
    inFlight: null,
    executions: new Map(),
    cancelling: null,
    nextSeq: 1,
  };
  const record = unread as SessionRecord;
  return recordWith(record, { view: viewOf(record, { before: null, tick }) });
}

/** One atomic check-and-claim (S50): the tick of the grant is the generation. */
function claim(record: SessionRecord, event: EventOf<'prompt.claimed'>, now: Now): SessionRecord {
  const admission = admit(record, event.origin);
  if (!admission.accepts) return record;
  const executionId = admission.starts ? event.executionId : (record.executionId ?? event.executionId);
  const { foreground } = record;
  const under = foreground.kind === 'claimed' ? FREE : foreground;
  const claimed: SessionRecord = {
    ...record,
    foreground: {
      kind: 'claimed',
      claim: { generation: now.tick, origin: event.origin, executionId, dispatched: false },
      under,
    },
    inFlight: now.tick,
    executionId,
    state: admission.starts ? 'starting' : 'running',
    stopReason: null,
    error: null,
  };
  return admission.starts ? withExecution(claimed, newExecution(executionId)) : claimed;
}

function dispatch(record: SessionRecord, generation: number): SessionRecord {
  const { foreground } = record;
  if (foreground.kind !== 'claimed' || foreground.claim.generation !== generation) return record;
  const claimed = { ...foreground.claim, dispatched: true };
  return beginIfClear(recordWith(record, { state: 'running', foreground: { ...foreground, claim: claimed } }));
}

function open(record: SessionRecord, event: EventOf<'execution.opened'>): SessionRecord {
  const execution = record.executions.get(event.executionId);
  if (execution === undefined) return record;
  return rested(withExecution(record, executionWith(execution, { opened: true, traits: event.traits })));
}

function lose(record: SessionRecord, executionId: string): SessionRecord {
  const execution = record.executions.get(executionId);
  return execution === undefined || execution.lost
    ? record
    : withExecution(record, executionWith(execution, { lost: true }));
}

const STATE_AFTER: Readonly<Record<EndCause, SessionState>> = {
  stopped: 'idle',
  completed: 'completed',
  cancelled: 'cancelled',
  failed: 'failed',
  crashed: 'failed',
};

/** Retires all that the execution owned, once; of a successor it sees nothing (S110, S112). */
function end(record: SessionRecord, event: EventOf<'execution.ended'>): SessionRecord {
  if (!record.executions.has(event.executionId)) return record;
  const executions = new Map(record.executions);
  executions.delete(event.executionId);
  if (record.executionId !== event.executionId) return recordWith(record, { executions });
  const open = record.foreground.kind !== 'free';
  return {
    ...record,
    executions,
    executionId: null,
    foreground: FREE,
    inFlight: null,
    cancelling: null,
    state: STATE_AFTER[event.cause],
    stopReason: open ? 'interrupted' : record.stopReason,
    error: event.error,
  };
}

function stop(record: SessionRecord, event: EventOf<'stop.requested'>): SessionRecord {
  const execution = record.executions.get(event.executionId);
  return execution === undefined
    ? record
    : withExecution(record, amend(execution, [event.workloadId], { stopping: true }));
}

function passTime(record: SessionRecord, now: Now): SessionRecord {
  const execution = current(record);
  const settled =
    execution !== undefined && execution.settleUntil !== null && execution.settleUntil <= now.at
      ? withExecution(record, executionWith(execution, { settleUntil: null }))
      : record;
  return endIfOver(settled, now.at);
}

/** When the shell should next feed time to this record; null when nothing waits for it. */
export function deadlineOf(record: SessionRecord): number | null {
  const due = cycleOf(record.foreground)?.endDueAt ?? null;
  const settle = current(record)?.settleUntil ?? null;
  return due === null || settle === null ? (due ?? settle) : Math.min(due, settle);
}

/** Publication is the difference before and after, taken here and nowhere else. */
function publish(before: SessionRecord, after: SessionRecord, tick: Tick): Decision {
  if (readsAlike(before, after)) return { record: after, transitions: [] };
  const view = viewOf(after, { before, tick });
  const transitions = transitionsOf(before.view, view);
  // Where only the times of evidence moved, nothing is told: they are read from the view, and with the next change (S21).
  const unmoved = transitions.length === 0 && view.workloads === before.view.workloads;
  return { record: unmoved ? after : recordWith(after, { view }), transitions };
}

function transitionsOf(before: SessionView, view: SessionView): readonly Transition[] {
  const transitions: Transition[] = [];
  if (view.activityRevision !== before.activityRevision) transitions.push('session.activity_changed');
  if (view.state !== before.state) transitions.push('session.state_changed');
  if (differs(before, view)) transitions.push('session.updated');
  return transitions;
}

/** True when nothing of the session is at work: no execution, no claim, no token (S111). */
export function isReleased(record: SessionRecord): boolean {
  return record.executions.size === 0 && record.foreground.kind === 'free' && record.inFlight === null;
}
