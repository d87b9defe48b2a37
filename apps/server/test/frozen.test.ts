// A database that hangs: it breaks no line and answers nothing.
import { once } from 'node:events';
import { ownPostgresOf } from '@vigil/db/testing';
import { mockAgentPath } from '@vigil/mock-agent';
import { expect, test } from 'vitest';
import { type Server, startServer } from './server-process.ts';

const MOCK = { provider: 'mock', command: process.execPath, args: [mockAgentPath()] };
/** "Within a few seconds", with room for a busy machine, and far from the 30 s after which a driver gives up. */
const SOON_MS = 12_000;

const said = async (server: Server, sessionId: string): Promise<string[]> => {
  const { messages } = await server.client.api.session.get.query({ sessionId });
  return messages.flatMap((one) => (one.kind === 'assistant' ? [one.text] : []));
};

test('[S80, S142] a frozen Postgres holds up no reading; submitters hear soon that nothing was kept, and repeat safely', async (context) => {
  const postgres = await ownPostgresOf(context);
  context.onTestFinished(() => postgres.stop());
  const start = (dataDir?: string) =>
    startServer({
      agents: { mock: MOCK },
      env: { VIGIL_MOCK_PROVIDER: 'on', LOG_LEVEL: 'fatal', DATABASE_URL: postgres.url },
      ...(dataDir === undefined ? {} : { dataDir }),
    });
  const server = await start();
  context.onTestFinished(async () => {
    postgres.freeze(false);
    await server.stop();
  });
  const { api } = server.client;
  const task = await api.task.create.mutate({ title: 'Frozen' });
  const watch = server.watch(task.id, () => {});
  const until = (sessionId: string, state: string) =>
    watch.until(({ view }) => view.sessions.get(sessionId)?.state === state || undefined);
  const make = async () => (await api.session.create.mutate({ taskId: task.id, agentId: 'mock' })).id;
  const [working, fresh] = [await make(), await make()];
  await api.session.submit.mutate({ sessionId: working, text: '/wait 1s\n/say before', clientKey: 'before' });
  await until(working, 'running');

  postgres.freeze(true);
  const since = performance.now();
  const submit = (sessionId: string) =>
    api.session.submit.mutate({ sessionId, text: `/say once ${sessionId}`, clientKey: `once-${sessionId}` });
  const calls = [submit(working), submit(fresh), api.task.create.mutate({ title: 'Ghost' }), make()];
  for (const call of calls) await expect(call).rejects.toMatchObject({ data: { code: 'SERVICE_UNAVAILABLE' } });
  expect(performance.now() - since).toBeLessThan(SOON_MS);
  // The turn that was at work ended meanwhile, and everybody saw it.
  await until(working, 'waiting_for_input');
  const ready = await fetch(`${server.url}/api/ready`);
  expect([ready.status, await ready.json()]).toEqual([503, { ready: false, reason: 'the database does not answer' }]);

  postgres.freeze(false);
  await expect
    .poll(async () => (await fetch(`${server.url}/api/ready`)).json(), { timeout: 60_000 })
    .toEqual({
      ready: true,
      reason: null,
    });
  for (const sessionId of [working, fresh]) {
    expect(await submit(sessionId)).toMatchObject({ outcome: 'dispatched' });
    await expect.poll(() => said(server, sessionId), { timeout: 10_000 }).toContain(`once ${sessionId}`);
    await until(sessionId, 'waiting_for_input');
  }
  watch.stop();
  const stopped = once(server.process, 'exit');
  server.process.kill('SIGTERM');
  await stopped;
  // What was said not to be kept is not there in the next life either.
  const next = await start(server.dataDir);
  context.onTestFinished(() => next.stop());
  const { tasks, sessions } = await next.client.api.activity.get.query({});
  expect([tasks.map(({ title }) => title), sessions.length]).toEqual([['Frozen'], 2]);
  expect(sessions.map(({ queuedPromptCount, state }) => [queuedPromptCount, state])).toEqual([
    [0, 'idle'],
    [0, 'idle'],
  ]);
  for (const { id } of sessions)
    expect((await said(next, id)).filter((text) => text.startsWith('once'))).toHaveLength(1);
}, 180_000);
