import type { ActivityEvent, Session, Task } from './types.ts';

/** Every task that is not archived, and its sessions, as of one revision. Replaced on change, never written to. */
export interface ActivityView {
  /** Boot of the server that the view is of; null before the first snapshot. */
  readonly epoch: string | null;
  readonly revision: number;
  readonly tasks: ReadonlyMap<string, Task>;
  readonly sessions: ReadonlyMap<string, Session>;
  /** Revision of the last change taken in per id; what is not newer is dropped. */
  readonly seen: ReadonlyMap<string, number>;
  /** Revision of the snapshot that it all began with. */
  readonly base: number;
}

export const EMPTY_ACTIVITY: ActivityView = {
  epoch: null,
  revision: 0,
  tasks: new Map(),
  sessions: new Map(),
  seen: new Map(),
  base: 0,
};

interface Draft {
  epoch: string | null;
  revision: number;
  tasks: Map<string, Task>;
  sessions: Map<string, Session>;
  seen: Map<string, number>;
  base: number;
}

type Change = Exclude<ActivityEvent, { type: 'snapshot' | 'resumed' }>;
type SessionChange = Extract<Change, { session: Session }>;

/** Takes in one event. The view is returned as it is when the event is not newer. */
export function acceptActivity(view: ActivityView, event: ActivityEvent): ActivityView {
  return acceptActivities(view, [event]);
}

/** Takes in several events in order, with one copy for all. */
export function acceptActivities(view: ActivityView, events: readonly ActivityEvent[]): ActivityView {
  let draft: Draft | null = null;
  for (const event of events) {
    const before: ActivityView = draft ?? view;
    if (event.type === 'snapshot') draft = isLate(before, event) ? draft : fromSnapshot(event);
    else if (event.type !== 'resumed' && isNewer(before, event)) {
      draft ??= copyOf(view);
      apply(draft, event);
    }
  }
  return draft ?? view;
}

/** False when the stream goes on from something that this view does not hold: start again from a snapshot. */
export function continuesActivity(view: ActivityView, event: ActivityEvent): boolean {
  if (event.type === 'snapshot') return true;
  if (event.type === 'resumed') return event.epoch === view.epoch;
  return view.epoch !== null;
}

function fromSnapshot(event: Extract<ActivityEvent, { type: 'snapshot' }>): Draft {
  return {
    epoch: event.epoch,
    revision: event.revision,
    tasks: new Map(event.tasks.map((task) => [task.id, task])),
    sessions: new Map(event.sessions.map((session) => [session.id, session])),
    seen: new Map(),
    base: event.revision,
  };
}

function copyOf(view: ActivityView): Draft {
  return { ...view, tasks: new Map(view.tasks), sessions: new Map(view.sessions), seen: new Map(view.seen) };
}

function keyOf(event: Change): string {
  return 'sessionId' in event ? event.sessionId : event.taskId;
}

/** An answer that was on its way while newer changes came: the view never goes back. */
function isLate(view: ActivityView, event: { readonly epoch: string; readonly revision: number }): boolean {
  return event.epoch === view.epoch && event.revision < view.revision;
}

function isNewer(view: ActivityView, event: Change): boolean {
  return event.revision > (view.seen.get(keyOf(event)) ?? view.base);
}

function apply(draft: Draft, event: Change): void {
  draft.seen.set(keyOf(event), event.revision);
  draft.revision = Math.max(draft.revision, event.revision);
  switch (event.type) {
    case 'task.created':
    case 'task.updated':
      putTask(draft, event.task);
      break;
    case 'task.deleted':
      removeTask(draft, event.taskId);
      break;
    case 'session.deleted':
      draft.sessions.delete(event.sessionId);
      break;
    case 'session.created':
    case 'session.activity_changed':
    case 'session.state_changed':
    case 'session.updated':
      putSession(draft, event);
      break;
    default:
      // A newer server may say more than this client knows.
      event satisfies never;
  }
}

function putTask(draft: Draft, task: Task): void {
  const known = draft.tasks.get(task.id);
  const merged = known === undefined ? task : { ...known, ...task };
  // As in a snapshot: an archived task is not there.
  if (merged.archivedAt === null) draft.tasks.set(task.id, merged);
  else draft.tasks.delete(task.id);
}

function removeTask(draft: Draft, taskId: string): void {
  draft.tasks.delete(taskId);
  for (const [id, session] of draft.sessions) if (session.taskId === taskId) draft.sessions.delete(id);
}

function putSession(draft: Draft, event: SessionChange): void {
  const known = draft.sessions.get(event.sessionId);
  draft.sessions.set(event.sessionId, known === undefined ? event.session : { ...known, ...event.session });
}
