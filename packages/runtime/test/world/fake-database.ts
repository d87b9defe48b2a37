import type {
  Database,
  MessageRepository,
  MessageRow,
  PendingRequestRow,
  RequestRepository,
  UserRepository,
} from '@vigil/db';
import { fakePrompts, openPrompts } from './fake-prompts.ts';
import { fakeExecutions, fakeSessions } from './fake-sessions.ts';
import { fakeTasks, listTasks } from './fake-tasks.ts';
import { asJson, by, Store } from './store.ts';

/**
 * A database in memory: every call is one step that happens whole or not at all. Held to the real one by
 * `database-contract.test.ts`. Users and tokens, which the runtime never touches, are not there.
 */
export function fakeDatabase(now: () => string = () => new Date().toISOString()): { store: Store; database: Database } {
  const store = new Store(now);
  const sessions = fakeSessions(store);
  const database: Database = {
    kind: 'embedded',
    tasks: fakeTasks(store),
    sessions,
    executions: fakeExecutions(store),
    prompts: fakePrompts(store),
    messages: fakeMessages(store),
    requests: fakeRequests(store),
    settings: {
      all: async () => Object.fromEntries(store.settings),
      get: async (key) => store.settings.get(key),
      set: async (key, value) => void store.settings.set(key, asJson(value)),
      remove: async (key) => void store.settings.delete(key),
    },
    features: {
      overrides: async () => Object.fromEntries(store.overrides),
      set: async (key, value) => void store.overrides.set(key, value),
      remove: async (key) => void store.overrides.delete(key),
    },
    users: {} as UserRepository,
    loadBoard: async () => {
      const tasks = listTasks(store, false);
      const shown = (await sessions.list()).filter((row) => tasks.some((task) => task.id === row.taskId));
      const isShown = (row: { sessionId: string }) => shown.some((session) => session.id === row.sessionId);
      return {
        tasks,
        sessions: shown,
        prompts: openPrompts(store).filter(isShown),
        requests: openRequests(store).filter(isShown),
      };
    },
    migrate: async () => undefined,
    ping: async () => undefined,
    close: async () => undefined,
  };
  return { store, database };
}

function fakeMessages(store: Store): MessageRepository {
  const inOrder = by<MessageRow>(
    (row) => row.seq,
    (row) => row.id,
  );
  const of = (sessionId: string) => [...(store.messages.get(sessionId)?.values() ?? [])].sort(inOrder);
  return {
    write: async (batch) => {
      const kept = new Map(batch.map((row) => [JSON.stringify([row.sessionId, row.id]), row]));
      let written = 0;
      for (const row of kept.values()) {
        if (!store.sessions.has(row.sessionId)) continue;
        const rows = store.messages.get(row.sessionId) ?? new Map<string, MessageRow>();
        store.messages.set(row.sessionId, rows);
        const createdAt = rows.get(row.id)?.createdAt ?? row.createdAt;
        rows.set(row.id, { ...row, payload: asJson(row.payload), createdAt });
        written += 1;
      }
      return { written, dropped: kept.size - written };
    },
    page: async (sessionId, page = {}) => {
      const { before = Number.POSITIVE_INFINITY } = page;
      const limit = Math.min(Math.max(page.limit ?? 100, 1), 1_000);
      const known = of(sessionId).filter((row) => row.seq < before);
      const messages = known.slice(-limit);
      return { messages, nextBefore: known.length > limit ? (messages[0]?.seq ?? null) : null };
    },
    lastSeq: async (sessionId) => of(sessionId).at(-1)?.seq ?? 0,
  };
}

const firstAsked = by<PendingRequestRow>(
  (row) => row.createdAt,
  (row) => row.id,
);

function openRequests(store: Store): PendingRequestRow[] {
  return [...store.requests.values()].filter((row) => row.resolvedAt === null).sort(firstAsked);
}

function fakeRequests(store: Store): RequestRepository {
  const resolve = (row: PendingRequestRow, outcome: unknown, resolvedAt: string): PendingRequestRow => {
    const resolved = { ...row, outcome: asJson(outcome), resolvedAt };
    store.requests.set(row.id, resolved);
    return resolved;
  };
  return {
    open: async (request) => {
      const known = store.requests.get(request.id);
      if (known !== undefined) return known;
      store.mustHaveSession(request.sessionId);
      const { options = [], createdAt = store.now(), detail = null, askedBy = null, schema = null } = request;
      const row: PendingRequestRow = {
        ...{ id: request.id, sessionId: request.sessionId, executionId: request.executionId, kind: request.kind },
        ...{ title: request.title, detail: asJson(detail), askedBy, options: [...(options ?? [])] },
        ...{ schema: asJson(schema), createdAt, resolvedAt: null, outcome: null },
      };
      store.requests.set(row.id, row);
      return row;
    },
    resolve: async (id, outcome, resolvedAt = store.now()) => {
      const row = store.requests.get(id);
      if (row === undefined || row.resolvedAt !== null) return { applied: false, request: row ?? null };
      return { applied: true, request: resolve(row, outcome, resolvedAt) };
    },
    get: async (id) => store.requests.get(id) ?? null,
    listOpen: async (filter = {}) =>
      openRequests(store).filter((row) => filter.sessionId === undefined || row.sessionId === filter.sessionId),
    resolveOpen: async (filter, outcome) =>
      openRequests(store)
        .filter((row) => filter.executionId === undefined || row.executionId === filter.executionId)
        .map((row) => resolve(row, outcome, store.now())),
  };
}
