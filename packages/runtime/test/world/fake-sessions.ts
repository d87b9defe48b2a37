import {
  DatabaseError,
  type ExecutionRepository,
  type ExecutionRow,
  type SessionRepository,
  type SessionRow,
  type Transition,
  type TransitionAnswer,
} from '@vigil/db';
import { by, isLive, patched, type Store } from './store.ts';

const oldestFirst = by<SessionRow>(
  (row) => row.createdAt,
  (row) => row.id,
);

function transition(store: Store, id: string, change: Transition): TransitionAnswer {
  const row = store.sessions.get(id);
  if (row === undefined || !change.from.includes(row.state)) return { applied: false, state: row?.state ?? null };
  const at = change.at ?? store.now();
  const next = patched({ ...row, updatedAt: at }, change.patch ?? {});
  const session = { ...next, state: change.to, executionId: isLive(change.to) ? next.executionId : null };
  if (isLive(session.state) !== (session.executionId !== null))
    throw new DatabaseError('invariant_broken', 'a live session has an execution, and no other has one');
  store.sessions.set(id, session);
  store.transitions.push({ sessionId: id, from: row.state, to: change.to, cause: change.cause, at });
  return { applied: true, session };
}

export function fakeSessions(store: Store): SessionRepository {
  return {
    create: async (session) => {
      store.mustBeNew(store.sessions, session.id);
      store.mustHaveTask(session.taskId);
      const createdAt = session.createdAt ?? store.now();
      const row: SessionRow = {
        ...{ id: session.id, taskId: session.taskId, agentId: session.agentId, provider: session.provider },
        ...{ title: session.title, cwd: session.cwd, state: 'created', executionId: null },
        ...{ agentSessionId: session.agentSessionId ?? null, autoRun: session.autoRun ?? true },
        ...{ stopReason: session.stopReason ?? null, error: session.error ?? null, createdAt },
        updatedAt: session.updatedAt ?? createdAt,
      };
      store.sessions.set(row.id, row);
      return row;
    },
    get: async (id) => store.sessions.get(id) ?? null,
    list: async (filter = {}) =>
      [...store.sessions.values()]
        .filter((row) => filter.taskId === undefined || row.taskId === filter.taskId)
        .sort(oldestFirst),
    update: async (id, patch) => {
      const row = store.sessions.get(id);
      if (row === undefined) return null;
      const updated = patched({ ...row, updatedAt: store.now() }, patch);
      store.sessions.set(id, updated);
      return updated;
    },
    transition: async (id, change) => transition(store, id, change),
    interrupted: async () => [...store.sessions.values()].filter((row) => isLive(row.state)).sort(oldestFirst),
    transitions: async (id, limit = 100) =>
      store.transitions
        .filter((row) => row.sessionId === id)
        .reverse()
        .slice(0, limit),
    delete: async (id) => store.dropSession(id),
  };
}

const firstStarted = by<ExecutionRow>(
  (row) => row.startedAt,
  (row) => row.id,
);

export function fakeExecutions(store: Store): ExecutionRepository {
  const all = () => [...store.executions.values()].sort(firstStarted);
  const change = (id: string, patch: Partial<ExecutionRow>): ExecutionRow | null => {
    const row = store.executions.get(id);
    if (row === undefined) return null;
    store.executions.set(id, { ...row, ...patch });
    return { ...row, ...patch };
  };
  return {
    start: async (execution) => {
      const known = store.executions.get(execution.id);
      if (known !== undefined) return known;
      store.mustHaveSession(execution.sessionId);
      const row: ExecutionRow = {
        ...{ id: execution.id, sessionId: execution.sessionId, pid: execution.pid ?? null },
        ...{ processStartTime: execution.processStartTime ?? null, startedAt: execution.startedAt ?? store.now() },
        ...{ endedAt: null, cause: null, causeDetail: null },
      };
      store.executions.set(row.id, row);
      return row;
    },
    identify: async (id, process) => change(id, process),
    end: async (id, { cause, detail = null, endedAt = store.now() }) => {
      const row = store.executions.get(id);
      if (row === undefined || row.endedAt !== null) return row ?? null;
      return change(id, { cause, causeDetail: detail, endedAt });
    },
    get: async (id) => store.executions.get(id) ?? null,
    list: async (sessionId) => all().filter((row) => row.sessionId === sessionId),
    open: async () => all().filter((row) => row.endedAt === null),
  };
}
