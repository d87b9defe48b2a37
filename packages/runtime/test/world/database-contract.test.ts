import type { Database } from '@vigil/db';
import { openTestDatabase } from '@vigil/db/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fakeDatabase } from './fake-database.ts';

const IDS = ['a', 'b', 'c'] as const;
const AT = '2026-01-01T00:00:00.000Z';
const id = fc.constantFrom(...IDS);
const none = fc.constant(null);
const state = fc.constantFrom('created', 'starting', 'running', 'waiting_for_input', 'idle', 'failed' as const);

/** A call, the same on whatever database; ids are few, so that rows meet. */
type Call = readonly [name: string, run: (database: Database, world: string) => Promise<unknown>];

const moment = fc.integer({ min: 0, max: 5 }).map((n) => `2026-01-01T00:00:0${n}.000Z`);
const place = fc.integer({ min: -2, max: 3 });

const prompts: fc.Arbitrary<Call>[] = [
  fc
    .record({
      id,
      session: id,
      key: id,
      origin: fc.constantFrom('human', 'wakeup' as const),
      position: fc.option(place, { nil: undefined }),
      status: fc.constantFrom('queued', 'reserved' as const),
      createdAt: moment,
    })
    .map(({ session, key, ...row }) => [
      `enqueue ${row.id} ${session} ${key}`,
      (db, w) =>
        db.prompts.enqueue({
          ...row,
          id: w + row.id,
          sessionId: w + session,
          clientKey: key,
          text: row.id,
          reason: null,
        }),
    ]),
  id.map((p) => [`reserve ${p}`, (db, w) => db.prompts.reserve(w + p)]),
  id.map((p) => [`reserve ${p} as sent`, (db, w) => db.prompts.reserve(w + p, 'sent')]),
  id.map((p) => [`note of ${p} that it is sent`, (db, w) => db.prompts.note(w + p, 'sent')]),
  id.map((p) => [`reserve the head of ${p}`, (db, w) => db.prompts.reserveHead(w + p)]),
  fc
    .record({ p: id, place: fc.constantFrom('own', 'head' as const), reason: fc.constantFrom('x', null) })
    .map(({ p, ...back }) => [
      `restore ${p} ${back.place}`,
      (db, w) => db.prompts.restore(w + p, { ...back, error: null }),
    ]),
  fc
    .constantFrom(undefined, 'sent')
    .map((parking) => [
      `restore what is reserved (${parking})`,
      (db) => db.prompts.restoreReserved(parking).then(byId),
    ]),
  fc
    .record({ p: id, as: fc.constantFrom('delivered', 'dropped', 'refused' as const) })
    .map(({ p, as }) => [`settle ${p} ${as}`, (db, w) => db.prompts.settle(w + p, { as, settledAt: AT })]),
  id.map((p) => [`withdraw ${p}`, (db, w) => db.prompts.withdraw(w + p)]),
  id.map((p) => [`edit ${p}`, (db, w) => db.prompts.edit(w + p, 'edited')]),
  id.map((p) => [`remove ${p}`, (db, w) => db.prompts.remove(w + p)]),
  id.map((p) => [`clear ${p}`, (db, w) => db.prompts.clear(w + p)]),
  fc.record({ s: id, order: fc.shuffledSubarray([...IDS]) }).map(({ s, order }) => [
    `reorder ${s} ${order}`,
    (db, w) =>
      db.prompts.reorder(
        w + s,
        order.map((p) => w + p),
      ),
  ]),
  fc.tuple(id, id).map(([s, key]) => [`find ${s} ${key}`, (db, w) => db.prompts.findByKey(w + s, key)]),
];

const sessions: fc.Arbitrary<Call>[] = [
  fc.record({ s: id, task: id, createdAt: moment }).map(({ s, task, createdAt }) => [
    `create session ${s} of ${task}`,
    (db, w) =>
      db.sessions.create({
        ...{ id: w + s, taskId: w + task, agentId: 'x', provider: 'x', title: s, cwd: '/', createdAt, updatedAt: AT },
      }),
  ]),
  fc
    .record({
      s: id,
      from: fc.subarray(['created', 'running', 'idle', 'starting'] as const),
      to: state,
      e: fc.oneof(id, none),
    })
    .map(({ s, from, to, e }) => [
      `move ${s} from ${from} to ${to} with ${e}`,
      (db, w) =>
        db.sessions.transition(w + s, { from, to, cause: 'test', at: AT, patch: { executionId: e, error: e } }),
    ]),
  fc
    .tuple(id, fc.boolean())
    .map(([s, autoRun]) => [
      `auto-run of ${s}`,
      (db, w) => db.sessions.update(w + s, { autoRun, title: undefined, updatedAt: AT }),
    ]),
  id.map((s) => [`transitions of ${s}`, (db, w) => db.sessions.transitions(w + s)]),
  id.map((s) => [`delete session ${s}`, (db, w) => db.sessions.delete(w + s)]),
  fc
    .tuple(id, id, moment)
    .map(([e, s, startedAt]) => [
      `start ${e} of ${s}`,
      (db, w) => db.executions.start({ id: w + e, sessionId: w + s, startedAt }),
    ]),
  id.map((e) => [`identify ${e}`, (db, w) => db.executions.identify(w + e, { pid: 3, processStartTime: '9' })]),
  fc
    .tuple(id, moment)
    .map(([e, endedAt]) => [`end ${e}`, (db, w) => db.executions.end(w + e, { cause: 'stopped', endedAt })]),
  id.map((s) => [`executions of ${s}`, (db, w) => db.executions.list(w + s)]),
];

const others: fc.Arbitrary<Call>[] = [
  fc
    .record({
      t: id,
      parent: fc.oneof(id, none),
      on: fc.subarray([...IDS]),
      position: fc.option(place, { nil: undefined }),
    })
    .map(({ t, parent, on, position }) => [
      `create task ${t} under ${parent} after ${on}`,
      (db, w) =>
        db.tasks.create({
          ...{ id: w + t, title: t, position, parentId: parent === null ? null : w + parent },
          ...{ dependsOn: on.map((one) => w + one), createdAt: AT, updatedAt: AT },
        }),
    ]),
  fc.record({ t: id, archivedAt: fc.constantFrom(AT, null, undefined), on: fc.subarray([...IDS]) }).map((given) => [
    `update task ${given.t} after ${given.on}`,
    (db, w) =>
      db.tasks.update(w + given.t, {
        ...{ archivedAt: given.archivedAt, dependsOn: given.on.map((one) => w + one), updatedAt: AT, state: 'review' },
      }),
  ]),
  id.map((t) => [`delete task ${t}`, (db, w) => db.tasks.delete(w + t)]),
  fc
    .array(fc.record({ s: id, m: id, seq: fc.integer({ min: 1, max: 4 }), createdAt: moment }), { maxLength: 4 })
    .map((rows) => [
      `write ${rows.length} messages`,
      (db, w) =>
        db.messages.write(
          rows.map(({ s, m, seq, createdAt }) => ({
            ...{ sessionId: w + s, id: m, seq, kind: 'user', role: null, payload: { seq, gone: undefined }, createdAt },
          })),
        ),
    ]),
  fc
    .tuple(id, fc.integer({ min: 1, max: 3 }))
    .map(([s, limit]) => [`page of ${s}`, (db, w) => db.messages.page(w + s, { limit, before: 4 })]),
  fc.tuple(id, id, moment).map(([r, s, createdAt]) => [
    `ask ${r} of ${s}`,
    (db, w) =>
      db.requests.open({
        ...{ id: w + r, sessionId: w + s, executionId: r, kind: 'permission', title: r, createdAt, options: [] },
      }),
  ]),
  id.map((r) => [`resolve ${r}`, (db, w) => db.requests.resolve(w + r, { optionId: 'x' }, AT)]),
  fc.constant(['board', (db) => db.loadBoard()]),
];

const byId = <T extends { id: string }>(rows: T[]): T[] => [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));

const told = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    (value) => ({ value }),
    (error: { code?: string }) => ({ code: error.code ?? String(error) }),
  );

/** Times that a call makes by itself. */
function withoutClock(value: unknown): unknown {
  const now = (text: unknown) => typeof text === 'string' && /^20\d\d-/.test(text) && !text.startsWith('2026-01-01');
  return JSON.parse(JSON.stringify(value ?? null, (_key, part) => (now(part) ? 'now' : part)));
}

/** Answers of both to the same calls; the ids of a run are its own, so that runs share the real database. */
async function compare(databases: readonly [Database, Database], calls: readonly Call[], world: string): Promise<void> {
  const setUp: Call[] = [
    ['task', (db, w) => db.tasks.create({ id: `${w}a`, title: 'a', position: 0, createdAt: AT, updatedAt: AT })],
    ...['a', 'b'].map(
      (s): Call => [
        `session ${s}`,
        (db, w) =>
          db.sessions.create({
            ...{
              id: w + s,
              taskId: `${w}a`,
              agentId: 'x',
              provider: 'x',
              title: s,
              cwd: '/',
              createdAt: AT,
              updatedAt: AT,
            },
          }),
      ],
    ),
  ];
  const done: string[] = [];
  for (const [name, run] of [...setUp, ...calls]) {
    done.push(name);
    const [real, fake] = [await told(run(databases[0], world)), await told(run(databases[1], world))];
    expect({ done, answer: withoutClock(fake) }).toEqual({ done, answer: withoutClock(real) });
  }
  for (const t of IDS) for (const database of databases) await database.tasks.delete(world + t);
}

describe('the fake database of the simulated world', () => {
  let real: Database;
  const fake = fakeDatabase().database;

  beforeAll(async () => {
    real = await openTestDatabase();
  });

  afterAll(() => real.close());

  test('[S80] [S82] [S113] [S141] answers every sequence of calls as the embedded one does', async () => {
    const call: fc.Arbitrary<Call> = fc.oneof(...prompts, ...prompts, ...sessions, ...others);
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 15, maxLength: 40, size: 'max' }), (calls) => {
        runs += 1;
        return compare([real, fake], calls, `w${runs}-`);
      }),
      { numRuns: 25, seed: 5, endOnFailure: true },
    );
  }, 60_000);

  test('[S71] keeps settings and overrides as the embedded one does', async () => {
    for (const database of [real, fake]) {
      await database.settings.set('k', { a: 1 });
      await database.settings.set('k', [2]);
      await database.features.set('f', true);
      expect(await database.settings.all()).toEqual({ k: [2] });
      expect(await database.features.overrides()).toEqual({ f: true });
      await database.features.remove('f');
      expect(await database.features.overrides()).toEqual({});
    }
  });
});
