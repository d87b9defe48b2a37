import { DatabaseError } from '@vigil/db';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Bench, startBench } from './bench.ts';
import { FakeAgents } from './fake-agent.ts';
import { eventually } from './settle.ts';
import { fakeDatabase } from './world/fake-database.ts';
import type { Store } from './world/store.ts';

type Outage = 'disk_full' | 'database_unreachable';

let outage: Outage | null;
/** Calls that the database took, by name. */
let taken: string[];
let agents: FakeAgents;
let store: Store;
let bench: Bench;

/** The same database, of which nothing gets through during an outage. */
function withOutages<T extends object>(target: T, path = ''): T {
  return new Proxy(target, {
    get(from, key) {
      const member: unknown = Reflect.get(from, key);
      const name = `${path}${String(key)}`;
      if (typeof member === 'object' && member !== null) return withOutages(member, `${name}.`);
      if (typeof member !== 'function') return member;
      return async (...args: unknown[]) => {
        if (outage !== null) throw new DatabaseError(outage, 'an outage');
        taken.push(name);
        return Reflect.apply(member, from, args);
      };
    },
  });
}

beforeEach(async () => {
  [outage, taken] = [null, []];
  agents = new FakeAgents();
  const fake = fakeDatabase();
  store = fake.store;
  bench = await startBench({ database: withOutages(fake.database), deps: { openAgent: agents.open } });
});

afterEach(async () => {
  outage = null;
  await bench.close();
});

describe.each([
  ['disk_full', 'the disk of the database is full: nothing is saved'],
  ['database_unreachable', 'the database does not answer'],
] as const)('while nothing can be saved (%s)', (code, why) => {
  test('[S142] clients are told so, nothing is given up, and all is written once and in order after it', async () => {
    const session = await bench.session();
    await bench.vigil.submit({ sessionId: session.id, text: 'first', clientKey: 'a' });
    const prompt = await eventually(() => agents.opened[0]?.prompts[0]);
    await eventually(() => bench.vigil.retained().writes === 0);
    expect(await bench.vigil.serverInfo()).toMatchObject({ saving: true, notSaving: null });

    outage = code;
    taken = [];
    const { id: sessionId } = session;
    prompt.answer({ accepted: true });
    const request = { id: 'r', kind: 'permission', title: 'May I?', detail: null, askedBy: null } as const;
    agents.last.frame({
      requests: [{ type: 'opened', request: { ...request, background: false, options: [], schema: null } }],
    });
    const asking = await bench.until(sessionId, (one) => one.pendingRequests.length === 1);
    const requestId = asking.pendingRequests[0]?.id ?? '';
    await bench.vigil.respond({ sessionId, requestId, outcome: { cancelled: true } });
    agents.last.says({ kind: 'rpc.settled', generation: prompt.generation, stopReason: 'end_turn' });
    const settled = await bench.until(sessionId, 'waiting_for_input');
    expect(settled).toMatchObject({ foregroundActivity: null, pendingRequests: [] });
    await expect(bench.vigil.submit({ sessionId, text: 'second', clientKey: 'b' })).rejects.toMatchObject({
      code: 'unavailable',
    });
    expect(await bench.vigil.serverInfo()).toMatchObject({ saving: false, notSaving: why });
    expect(bench.vigil.retained().writes).toBeGreaterThan(0);

    outage = null;
    await eventually(() => bench.vigil.retained().writes === 0);
    expect(await bench.vigil.serverInfo()).toMatchObject({ saving: true, notSaving: null });
    expect(store.sessions.get(sessionId)).toMatchObject({ state: 'waiting_for_input', stopReason: 'end_turn' });
    expect([...store.prompts.values()].map((row) => [row.text, row.status])).toEqual([['first', 'delivered']]);
    expect(store.requests.get(requestId)).toMatchObject({ resolvedAt: expect.any(String) });
    const once = ['prompts.settle', 'requests.open', 'requests.resolve', 'sessions.transition'];
    const [settle, open, resolve, transition] = once.map((name) => taken.indexOf(name));
    expect([settle, open, resolve, transition].every((at) => (at ?? -1) >= 0)).toBe(true);
    expect([open, resolve, transition]).toEqual([open, resolve, transition].sort((a, b) => (a ?? 0) - (b ?? 0)));
    for (const name of once.slice(0, 3)) expect(taken.filter((call) => call === name)).toHaveLength(1);
    expect(await bench.vigil.submit({ sessionId, text: 'second', clientKey: 'b' })).toMatchObject({
      outcome: 'dispatched',
    });
  });
});
