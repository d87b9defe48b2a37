import { labels } from './labels.ts';

export type Tier = 'generating' | 'background';
export type SessionState =
  | 'created'
  | 'starting'
  | 'running'
  | 'waiting_for_input'
  | 'idle'
  | 'completed'
  | 'failed'
  | 'cancelled';
export type TaskState = 'backlog' | 'in_progress' | 'review' | 'done';

interface Reading {
  /** The exposed tier: the policy is already applied by the server (S75). */
  readonly foregroundActivity: Tier | null;
  readonly liveness: 'live' | 'unknown';
}

/** What the presentation may look at. The count and the workloads are absent on purpose (W2, W6). */
export interface SessionSubject extends Reading {
  readonly state: SessionState;
  readonly executionId: string | null;
  readonly pendingRequests: readonly { readonly kind: 'permission' | 'clarification' }[];
  readonly createdAt?: string;
}

export interface TaskSubject extends Reading {
  readonly state: TaskState;
  readonly pendingPermission: boolean;
  readonly pendingClarification: boolean;
}

export const STATUS_KINDS = [
  'permission',
  'clarification',
  'unknown',
  'generating',
  'background',
  'starting',
  'ready',
  'created',
  'idle',
  'cancelled',
  'ended',
  'failed',
  'done',
] as const;

export type StatusKind = (typeof STATUS_KINDS)[number];
export type StatusTone = 'attention' | 'question' | 'generating' | 'background' | 'failed' | 'done' | 'neutral';
export type StatusIcon =
  | 'shield'
  | 'speech'
  | 'ring'
  | 'ring-dotted'
  | 'ring-question'
  | 'circle'
  | 'dot'
  | 'dot-open'
  | 'dash'
  | 'cross'
  | 'check';

export interface StatusReading {
  readonly kind: StatusKind;
  readonly label: string;
  readonly icon: StatusIcon;
  readonly tone: StatusTone;
}

const LOOKS: Record<StatusKind, readonly [StatusIcon, StatusTone]> = {
  permission: ['shield', 'attention'],
  clarification: ['speech', 'question'],
  unknown: ['ring-question', 'neutral'],
  generating: ['ring', 'generating'],
  background: ['ring', 'background'],
  starting: ['ring-dotted', 'neutral'],
  ready: ['circle', 'neutral'],
  created: ['dot', 'neutral'],
  idle: ['dot-open', 'neutral'],
  cancelled: ['dash', 'neutral'],
  ended: ['dash', 'neutral'],
  failed: ['cross', 'failed'],
  done: ['check', 'done'],
};

/** One frozen reading per kind, so that equal readings are identical and memoised rows stay as they are. */
export const STATUSES = Object.fromEntries(
  STATUS_KINDS.map((kind) => {
    const [icon, tone] = LOOKS[kind];
    return [kind, Object.freeze({ kind, label: labels.status[kind], icon, tone })];
  }),
) as Readonly<Record<StatusKind, StatusReading>>;

const SESSION_COARSE: Record<SessionState, StatusKind> = {
  created: 'created',
  starting: 'starting',
  // The exposed tier of a running session is never none; if it was not read, it is generating (S9).
  running: 'generating',
  waiting_for_input: 'ready',
  idle: 'idle',
  completed: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
};

/** A session whose pending requests mean something (W1). */
export function isCurrent(session: Pick<SessionSubject, 'state' | 'executionId'>): boolean {
  return session.executionId !== null && (session.state === 'running' || session.state === 'waiting_for_input');
}

function asks(session: SessionSubject, kind: 'permission' | 'clarification'): boolean {
  return isCurrent(session) && session.pendingRequests.some((request) => request.kind === kind);
}

function activityKind(reading: Reading): StatusKind | null {
  if (reading.liveness === 'unknown') return 'unknown';
  return reading.foregroundActivity;
}

function sessionKind(session: SessionSubject): StatusKind {
  if (asks(session, 'permission')) return 'permission';
  if (asks(session, 'clarification')) return 'clarification';
  return activityKind(session) ?? SESSION_COARSE[session.state];
}

/** What the sessions of a task say when nothing of it is at work: its newest failure first, then what is still alive. */
function settledKind(sessions: readonly SessionSubject[]): StatusKind {
  let latest: SessionSubject | undefined;
  for (const session of sessions) {
    if (latest === undefined || (session.createdAt ?? '') >= (latest.createdAt ?? '')) latest = session;
  }
  if (latest === undefined) return 'created';
  if (latest.state !== 'failed' && sessions.some((session) => session.state === 'waiting_for_input')) return 'ready';
  const kind = SESSION_COARSE[latest.state];
  // The check belongs to tasks in state done; a task whose sessions are over is not done for that (W2).
  return kind === 'done' ? 'ended' : kind;
}

function taskKind(task: TaskSubject, sessions: readonly SessionSubject[]): StatusKind {
  const known = sessions.length > 0;
  const pending = (kind: 'permission' | 'clarification') => !known || sessions.some((session) => asks(session, kind));
  if (task.pendingPermission && pending('permission')) return 'permission';
  if (task.pendingClarification && pending('clarification')) return 'clarification';
  const activity = activityKind(task);
  if (activity !== null) return activity;
  if (sessions.some((session) => session.state === 'starting')) return 'starting';
  return task.state === 'done' ? 'done' : settledKind(sessions);
}

/** The one reading of a session or a task (W1). A task may be given its sessions, for what its aggregate does not say. */
export function statusOf(session: SessionSubject): StatusReading;
export function statusOf(task: TaskSubject, sessions?: readonly SessionSubject[]): StatusReading;
export function statusOf(
  subject: SessionSubject | TaskSubject,
  sessions: readonly SessionSubject[] = [],
): StatusReading {
  return STATUSES['executionId' in subject ? sessionKind(subject) : taskKind(subject, sessions)];
}

/** Kinds that wait for a person, most urgent first. */
export const NEEDS_YOU: readonly StatusKind[] = ['permission', 'clarification', 'failed'];

/** Kinds in which something is at work. */
export function isWorking(kind: StatusKind): boolean {
  return kind === 'generating' || kind === 'background' || kind === 'starting';
}
