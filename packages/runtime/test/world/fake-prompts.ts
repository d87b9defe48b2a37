import { DatabaseError, type NewPrompt, type PromptAnswer, type PromptRepository, type PromptRow } from '@vigil/db';
import { by, patched, type Store } from './store.ts';

const isOpen = (row: PromptRow): boolean => row.status === 'queued' || row.status === 'reserved';

const queueOrder = by<PromptRow>(
  (row) => row.sessionId,
  (row) => (row.origin === 'human' ? 0 : 1),
  (row) => row.position,
  (row) => row.createdAt,
  (row) => row.id,
);

/** Open prompts of every session, in the order of their queues. */
export function openPrompts(store: Store): PromptRow[] {
  return [...store.prompts.values()].filter(isOpen).sort(queueOrder);
}

function queuedOf(store: Store, sessionId: string): PromptRow[] {
  return openPrompts(store).filter((row) => row.sessionId === sessionId && row.status === 'queued');
}

function change(store: Store, id: string, how: { from: PromptRow['status'][]; patch: object }): PromptAnswer {
  const row = store.prompts.get(id);
  if (row === undefined || !how.from.includes(row.status)) return { applied: false, prompt: row ?? null };
  const prompt = patched(row, how.patch);
  store.prompts.set(id, prompt);
  return { applied: true, prompt };
}

const byKey = (store: Store, sessionId: string, clientKey: string): PromptRow | null =>
  [...store.prompts.values()].find((row) => row.sessionId === sessionId && row.clientKey === clientKey) ?? null;

function lastPlace(store: Store, like: NewPrompt): number {
  const beside = [...store.prompts.values()].filter(
    (row) => row.sessionId === like.sessionId && row.origin === like.origin,
  );
  return beside.reduce((last, row) => Math.max(last, row.position), beside.length === 0 ? 0 : -Infinity) + 1;
}

/** Before everything that is queued beside it, or where it is if that is before. */
function headPlace(store: Store, row: PromptRow): number {
  const beside = queuedOf(store, row.sessionId).filter((one) => one.origin === row.origin);
  return Math.min(row.position, ...beside.map((one) => one.position - 1));
}

function enqueue(store: Store, prompt: NewPrompt): { prompt: PromptRow; isNew: boolean } {
  const known = byKey(store, prompt.sessionId, prompt.clientKey);
  if (known !== null) return { prompt: known, isNew: false };
  store.mustBeNew(store.prompts, prompt.id);
  store.mustHaveSession(prompt.sessionId);
  const row: PromptRow = {
    ...{ id: prompt.id, sessionId: prompt.sessionId, clientKey: prompt.clientKey, origin: prompt.origin },
    ...{ text: prompt.text, status: prompt.status ?? 'queued', position: prompt.position ?? lastPlace(store, prompt) },
    ...{ reason: prompt.reason ?? null, error: null, createdAt: prompt.createdAt ?? store.now(), settledAt: null },
  };
  store.prompts.set(row.id, row);
  return { prompt: row, isNew: true };
}

/** Prompts of one origin trade places; one between them that is reserved keeps its own. */
function reorder(store: Store, sessionId: string, order: readonly string[]): boolean {
  const queued = queuedOf(store, sessionId);
  const same = new Set(order).size === order.length && order.length === queued.length;
  if (!same || !queued.every((row) => order.includes(row.id))) return false;
  for (const origin of ['human', 'wakeup']) {
    const present = queued.filter((row) => row.origin === origin);
    const ids = order.filter((id) => present.some((row) => row.id === id));
    let last = -Infinity;
    for (const [index, { position }] of present.entries()) {
      last = position > last ? position : last + 1;
      change(store, ids[index] ?? '', { from: ['queued'], patch: { position: last } });
    }
  }
  return true;
}

/** A queue to which one comes back with the reason `parking` waits for a person. */
function restoreReserved(store: Store, parking: string | null): PromptRow[] {
  const reserved = openPrompts(store).filter((row) => row.status === 'reserved');
  for (const { sessionId, reason } of reserved) {
    const session = store.sessions.get(sessionId);
    if (parking !== null && reason === parking && session !== undefined)
      store.sessions.set(sessionId, { ...session, autoRun: false });
  }
  const restored = reserved.map((row) => ({ ...row, status: 'queued' as const, position: headPlace(store, row) }));
  for (const row of restored) store.prompts.set(row.id, row);
  return restored;
}

export function fakePrompts(store: Store): PromptRepository {
  const dropped = (reason: string) => ({ status: 'dropped', reason, settledAt: store.now() });
  const reserve = (id: string, reason: string | null | undefined) =>
    change(store, id, { from: ['queued'], patch: { status: 'reserved', reason } });
  return {
    enqueue: async (prompt) => enqueue(store, prompt),
    get: async (id) => store.prompts.get(id) ?? null,
    findByKey: async (sessionId, key) => byKey(store, sessionId, key),
    list: async (sessionId) => queuedOf(store, sessionId),
    countQueued: async () => {
      const counts = new Map<string, number>();
      for (const row of openPrompts(store))
        if (row.status === 'queued') counts.set(row.sessionId, (counts.get(row.sessionId) ?? 0) + 1);
      return counts;
    },
    reserveHead: async (sessionId) => {
      const [head] = queuedOf(store, sessionId);
      return head === undefined ? null : reserve(head.id, undefined).prompt;
    },
    reserve: async (id, reason = null) => reserve(id, reason),
    note: async (id, reason) => change(store, id, { from: ['reserved'], patch: { reason } }),
    restore: async (id, { place, reason, error }) => {
      const row = store.prompts.get(id);
      const position = place === 'head' && row !== undefined ? headPlace(store, row) : undefined;
      return change(store, id, { from: ['reserved'], patch: { status: 'queued', reason, error, position } });
    },
    restoreReserved: async (parking = null) => restoreReserved(store, parking),
    settle: async (id, { as, reason, error, settledAt = store.now() }) =>
      change(store, id, { from: ['queued', 'reserved'], patch: { status: as, reason, error, settledAt } }),
    withdraw: async (id) => openPrompts(store).some((row) => row.id === id) && store.prompts.delete(id),
    edit: async (id, text) => change(store, id, { from: ['queued'], patch: { text } }),
    remove: async (id) => change(store, id, { from: ['queued'], patch: dropped('removed') }),
    clear: async (sessionId) => {
      const ids = queuedOf(store, sessionId).map((row) => row.id);
      for (const id of ids) change(store, id, { from: ['queued'], patch: dropped('cleared') });
      return ids.flatMap((id) => store.prompts.get(id) ?? []).sort(queueOrder);
    },
    reorder: async (sessionId, order) => {
      const applied = reorder(store, sessionId, order);
      const prompts = queuedOf(store, sessionId);
      return applied ? { applied, prompts } : { applied, reason: 'queue_changed', prompts };
    },
  };
}

export function unreachable(why: string): DatabaseError {
  return new DatabaseError('database_unreachable', why);
}
