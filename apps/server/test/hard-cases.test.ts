// Hard cases over real streams: a real server process, real mock agents, and what a client is told of them.
import { type ActivityEvent, acceptActivities, EMPTY_ACTIVITY, type Session } from '@vigil/client';
import { mockAgentPath } from '@vigil/mock-agent';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Server, startServer } from './server-process.ts';

type Change = Extract<ActivityEvent, { revision: number }>;

let server: Server;

beforeAll(async () => {
  const mock = (dialect: string) => ({
    provider: 'mock',
    command: process.execPath,
    args: [mockAgentPath()],
    env: { MOCK_AGENT_DIALECT: dialect },
  });
  server = await startServer({
    agents: { v2: mock('acp-v2') },
    env: { VIGIL_MOCK_PROVIDER: 'on', VIGIL_SETTLE_AFTER: '50ms' },
  });
}, 60_000);

afterAll(() => server.stop());

/** A session of a new task, with all that a client hears of the task. */
async function session(agentId: string, count = 1) {
  const { api } = server.client;
  const task = await api.task.create.mutate({ title: agentId });
  const events: ActivityEvent[] = [];
  const watch = server.watch(task.id, (event) => events.push(event));
  await watch.until(({ connection }) => connection.status === 'live' || undefined);
  const made: Session[] = [];
  for (let n = 0; n < count; n += 1) made.push(await api.session.create.mutate({ taskId: task.id, agentId }));
  const ids = made.map((one) => one.id);
  const submit = (text: string, at = 0) =>
    api.session.submit.mutate({ sessionId: ids[at] ?? '', text, clientKey: `${at}-${text}-${events.length}` });
  const until = (is: (one: Session) => boolean, at = 0) =>
    watch.until(({ view }) => [view.sessions.get(ids[at] ?? '')].find((one) => one !== undefined && is(one)));
  return { api, task, ids, events, watch, submit, until };
}

const settled = (one: Session) => one.state === 'waiting_for_input' && one.foregroundActivity === null;

/** Tiers of one session in the order of their revisions; what repeats is told once. */
function tiersOf(events: readonly ActivityEvent[], sessionId: string): readonly (string | null)[] {
  const changes = events.filter(
    (event): event is Extract<ActivityEvent, { foregroundActivity: unknown }> =>
      'foregroundActivity' in event && event.sessionId === sessionId,
  );
  const tiers = changes.map((event) => event.foregroundActivity);
  return tiers.filter((tier, at) => tier !== tiers[at - 1]);
}

function expectInOrder(events: readonly ActivityEvent[]): void {
  const revisions = events.flatMap((event) =>
    'revision' in event && event.type !== 'snapshot' ? [event.revision] : [],
  );
  expect(revisions).toEqual(revisions.toSorted((a, b) => a - b));
}

describe('over real streams', () => {
  test('[S58] hard case 4: a prompt that is sent at the very end of a turn is not ended by that end', async () => {
    const { api, ids, events, watch, submit, until } = await session('v2');
    const rounds = 12;
    for (let round = 0; round < rounds; round += 1) {
      await submit(`/say ${round}`);
      await until((one) => settled(one) && one.generation === null && one.turnStartedAt === null);
    }
    const { messages } = await api.session.get.query({ sessionId: ids[0] ?? '' });
    watch.stop();
    const kinds = messages.map((one) => (one.kind === 'notice' ? one.code : one.kind));

    expect(kinds.filter((kind) => kind !== 'thought')).toEqual(
      Array.from({ length: rounds }, () => ['user', 'assistant', 'turn_ended']).flat(),
    );
    const turns = tiersOf(events, ids[0] ?? '').filter((tier) => tier === 'generating').length;
    expect(turns).toBeGreaterThan(0);
    expect(turns).toBeLessThanOrEqual(rounds);
    expectInOrder(events);
  }, 60_000);

  test('[S4] hard case 14: what comes after the answer is generating again, settles again, and can be stopped', async () => {
    const { api, ids, events, watch, submit, until } = await session('v2');
    const sessionId = ids[0] ?? '';
    const again = async (rest: string) => {
      const sent = submit(`/say first\n/idle\n/wait 200ms\n/say late\n/wait ${rest}\n/end`);
      await until((one) => one.foregroundActivity === 'generating');
      await until(settled);
      await until((one) => one.foregroundActivity === 'generating');
      expect(await sent).toMatchObject({ outcome: 'dispatched' });
    };
    await again('200ms');
    await until(settled);
    expect(tiersOf(events, sessionId)).toEqual([null, 'generating', null, 'generating', null]);

    await again('60s');
    expect(await api.session.cancel.mutate({ sessionId })).toEqual({ outcome: 'cancelling' });
    const stopped = await until(settled);
    const { messages } = await api.session.get.query({ sessionId });
    watch.stop();
    expect(stopped).toMatchObject({ stopReason: 'cancelled', workloads: [] });
    const texts = messages.flatMap((one) => (one.kind === 'assistant' ? [one.text] : []));
    expect(texts.filter((text) => text.includes('late'))).toHaveLength(2);
    expectInOrder(events);
  }, 60_000);

  test('[S91, S93] hard case 20: a task is told after every settle, and is what its sessions are', async () => {
    const { api, task, ids, events, watch, submit, until } = await session('v2', 4);
    await Promise.all(ids.map((_, at) => submit(`/shell job${at} for ${80 * (at + 1)}ms\n/say ${at}`, at)));
    await Promise.all(ids.map((_, at) => until((one) => settled(one) && one.workloads.length === 0, at)));
    const last = await watch.until(({ view }) => {
      const shown = view.tasks.get(task.id);
      return shown?.foregroundActivity === null && shown.activeSubagentCount === 0 ? shown : undefined;
    });
    watch.stop();
    expect((await api.task.get.query({ taskId: task.id })).task).toMatchObject({ foregroundActivity: null });
    expect(last.foregroundActivity).toBeNull();
    expectInOrder(events);

    // Whenever the task is told, it is the highest that its sessions were told to be; one that is told again later may
    // have been told of once only, since a reader gets the newest of what waits for it (S103).
    const tiers = new Map<string, string | null>();
    let told = 0;
    for (const [at, event] of events.entries()) {
      if ('sessionId' in event && 'foregroundActivity' in event) tiers.set(event.sessionId, event.foregroundActivity);
      if (event.type !== 'task.updated') continue;
      told += 1;
      const later = new Set(events.slice(at).map((one) => ('sessionId' in one ? one.sessionId : '')));
      const present = [...tiers].filter(([id]) => !later.has(id)).map(([, tier]) => tier);
      const shown = event.task.foregroundActivity;
      if (shown === null) expect(present.every((tier) => tier === null)).toBe(true);
      if (shown === 'background') expect(present).not.toContain('generating');
    }
    expect(told).toBeGreaterThan(1);
  }, 60_000);

  test('[S101] hard case 19: what was told, in any order and twice, folds into what the server has', async () => {
    const { api, task, ids, events, watch, submit, until } = await session('v2', 3);
    await Promise.all(ids.map((_, at) => submit(`/subagent a${at} for 100ms\n/say ${at}\n/tool t for 20ms`, at)));
    await Promise.all(ids.map((_, at) => until((one) => settled(one) && one.workloads.length === 0, at)));
    await watch.until(({ view }) => view.tasks.get(task.id)?.foregroundActivity === null || undefined);
    watch.stop();
    const { task: now, sessions } = await api.task.get.query({ taskId: task.id });
    const [first, ...changes] = events;
    expect(first?.type).toBe('snapshot');
    const start = acceptActivities(EMPTY_ACTIVITY, first === undefined ? [] : [first]);
    // Losing all but the last of a key loses nothing: each change carries the whole of it.
    const lastOf = new Map(changes.map((event, at) => [keyOf(event as Change), at]));

    const orders = fc.shuffledSubarray([...changes.keys()], { minLength: changes.length }).chain((order) =>
      fc.array(fc.boolean(), { minLength: order.length, maxLength: order.length }).map((lost) =>
        order.flatMap((at, index) => {
          if (lastOf.get(keyOf(changes[at] as Change)) === at) return [at, at];
          return lost[index] ? [] : [at];
        }),
      ),
    );
    fc.assert(
      fc.property(orders, (order) => {
        const view = acceptActivities(
          start,
          order.flatMap((at) => changes[at] ?? []),
        );
        expect(view.tasks.get(task.id)).toEqual(now);
        for (const one of sessions) expect(view.sessions.get(one.id)).toEqual(one);
      }),
      { numRuns: 300 },
    );
  }, 60_000);
});

const keyOf = (event: Change): string =>
  'sessionId' in event ? event.sessionId : 'taskId' in event ? event.taskId : '';
