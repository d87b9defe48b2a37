import type { Database, PromptRow } from '@vigil/db';

/** What stands between a call and its answer: a scheduler, a failure, nothing. */
export type Delay = (call: string) => Promise<void>;

/**
 * A database for the order of things: it keeps prompts, as far as the runtime's promises rest on them, and forgets the
 * rest. Each answer waits for the delay that the test gives. What it keeps is not what is tested.
 */
export function memoryDatabase(
  delay: Delay = () => Promise.resolve(),
): Database & { readonly rows: Map<string, PromptRow> } {
  const rows = new Map<string, PromptRow>();
  const change = async (id: string, call: string, { from, ...fields }: Partial<PromptRow> & { from?: string }) => {
    await delay(call);
    const row = rows.get(id) ?? null;
    if (row === null || (from !== undefined && row.status !== from)) return { applied: false, prompt: row };
    const prompt = { ...row, ...fields };
    rows.set(id, prompt);
    return { applied: true, prompt };
  };
  const prompts = {
    async enqueue(given: Partial<PromptRow> & { id: string }) {
      await delay('enqueue');
      const row = {
        status: 'queued',
        reason: null,
        error: null,
        settledAt: null,
        position: 0,
        createdAt: '',
        ...given,
      } as PromptRow;
      rows.set(row.id, row);
      return { prompt: row, isNew: true };
    },
    async findByKey(sessionId: string, key: string) {
      await delay('findByKey');
      return [...rows.values()].find((row) => row.sessionId === sessionId && row.clientKey === key) ?? null;
    },
    reserve: (id: string) => change(id, 'reserve', { status: 'reserved', from: 'queued' }),
    note: (id: string, reason: string) => change(id, 'note', { reason }),
    restore: (id: string, back: { reason?: string | null; error?: string | null }) =>
      change(id, 'restore', { status: 'queued', reason: back.reason ?? null, error: back.error ?? null }),
    settle: (id: string, how: { as: PromptRow['status'] }) => change(id, 'settle', { status: how.as }),
    remove: (id: string) => change(id, 'remove', { status: 'dropped', from: 'queued' }),
    withdraw: async (id: string) => {
      await delay('withdraw');
      return rows.delete(id);
    },
    restoreReserved: async () => [],
    list: async () => [],
  };
  const answers: Record<string, unknown> = {
    loadBoard: async () => ({ tasks: [], sessions: [], prompts: [], requests: [] }),
    'messages.page': async () => ({ messages: [], nextBefore: null }),
    'messages.write': async () => ({ written: 0, dropped: 0 }),
    'sessions.transition': async () => ({ applied: true }),
    'features.overrides': async () => ({}),
  };
  const forgetful = (path: string): unknown =>
    new Proxy(async () => [], {
      get: (_target, name) =>
        name === 'then' ? undefined : (answers[`${path}.${String(name)}`] ?? forgetful(`${path}.${String(name)}`)),
    });
  return new Proxy({} as Database & { rows: Map<string, PromptRow> }, {
    get(_target, name) {
      if (name === 'prompts') return prompts;
      if (name === 'rows') return rows;
      if (name === 'kind') return 'embedded';
      return name === 'then' ? undefined : (answers[String(name)] ?? forgetful(String(name)));
    },
  });
}
