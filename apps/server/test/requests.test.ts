// What an agent asks, over a real server: its rows, its streams, and whoever answers.
import { fileURLToPath } from 'node:url';
import { createVigilClient, type PendingRequest, type Session, type VigilClient } from '@vigil/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Server, startServer } from './server-process.ts';

const ASKING = {
  provider: 'generic',
  command: process.execPath,
  args: [fileURLToPath(new URL('./asking-agent.mjs', import.meta.url))],
};
const RECORDING = fileURLToPath(
  new URL(
    '../../../packages/acp/recordings/claude-0.101/v2-raw/08f-permission-from-background-subagent-while-idle.ndjson',
    import.meta.url,
  ),
);
const PLAYER = fileURLToPath(new URL('../../../packages/acp/testing/replay-agent.mjs', import.meta.url));

let server: Server;
let other: VigilClient;

beforeAll(async () => {
  const child = { provider: 'claude-acp', command: process.execPath, args: [PLAYER, RECORDING] };
  server = await startServer({ agents: { asking: ASKING, child }, env: { LOG_LEVEL: 'error' } });
  // Another operator, over another transport.
  other = createVigilClient({ url: server.url, transport: 'sse' });
}, 60_000);

afterAll(async () => {
  await other.close();
  await server.stop();
});

async function asked(agentId: string, text: string, count: number) {
  const { api } = server.client;
  const task = await api.task.create.mutate({ title: 'Asks' });
  const { id: sessionId } = await api.session.create.mutate({ taskId: task.id, agentId });
  const watch = server.watch(task.id, () => {});
  const until = (is: (session: Session) => boolean) =>
    watch.until(({ view }) => {
      const session = view.sessions.get(sessionId);
      return session !== undefined && is(session) ? session : undefined;
    });
  await api.session.submit.mutate({ sessionId, text, clientKey: sessionId });
  const { pendingRequests } = await until((session) => session.pendingRequests.length === count);
  const said = async () => {
    const { messages } = await api.session.get.query({ sessionId });
    return messages.flatMap((one) => (one.kind === 'assistant' ? [one.text] : [])).join('');
  };
  return { taskId: task.id, sessionId, pendingRequests, until, said, stop: () => watch.stop() };
}

const kindOf = ({ kind, title, detail }: PendingRequest) => [kind, title, detail];

test('[S132] forms, addresses and permissions are shown to every client, and any of them answers', async () => {
  const session = await asked('asking', 'form\nurl\npermission', 3);
  const { pendingRequests, sessionId } = session;
  expect(pendingRequests.map(kindOf)).toEqual([
    ['clarification', 'Who are you?', null],
    ['clarification', 'Sign in', 'https://example.org/sign-in'],
    ['permission', 'Push to main', null],
  ]);
  expect(pendingRequests[0]?.schema).toMatchObject({
    properties: { name: { type: 'string' }, sure: { type: 'boolean' } },
  });
  const { task, sessions } = await other.api.task.get.query({ taskId: session.taskId });
  expect([task.pendingPermission, task.pendingClarification]).toEqual([true, true]);
  expect(sessions[0]?.pendingRequests).toEqual(pendingRequests);
  const [form, url, permission] = pendingRequests.map(({ id }) => id);
  const answer = (client: VigilClient, requestId: string | undefined, outcome: object) =>
    client.api.session.respond.mutate({
      sessionId,
      requestId: requestId ?? '',
      outcome: outcome as { optionId: string },
    });

  await answer(other, form, { answers: { name: 'Ada', sure: true } });
  await answer(server.client, url, { answers: {} });
  // Two answer at once: one of them counts, the other is told.
  const both = await Promise.allSettled(
    [server.client, other].map((one) => answer(one, permission, { optionId: 'y' })),
  );
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await session.until(({ state, pendingRequests: open }) => state === 'waiting_for_input' && open.length === 0);
  const said = await session.said();
  expect(said).toContain('form={"action":"accept","content":{"name":"Ada","sure":true}}');
  expect(said).toContain('url={"action":"accept"');
  expect(said).toContain('permission={"outcome":{"outcome":"selected","optionId":"y"}}');
  session.stop();
}, 60_000);

test('[S132] [S131] a cancel answers all of the foreground as cancelled', async () => {
  const session = await asked('asking', 'form\nurl\npermission', 3);
  await other.api.session.cancel.mutate({ sessionId: session.sessionId });
  expect(await session.until(({ state }) => state === 'waiting_for_input')).toMatchObject({
    pendingRequests: [],
    stopReason: 'cancelled',
  });
  expect(await session.said()).toBe(
    'form={"action":"cancel"} url={"action":"cancel"} permission={"outcome":{"outcome":"cancelled"}}',
  );
  session.stop();
}, 60_000);

test('[S132] a background child is named as the one that asks; its request outlives a cancel and is answered', async () => {
  const session = await asked('child', 'go', 1);
  const [request] = session.pendingRequests;
  const shown = await session.until(({ state }) => state === 'waiting_for_input');
  expect([request?.askedBy, shown.workloads.map(({ label }) => label)]).toEqual(['sub bgsub', ['sub bgsub']]);
  expect(await other.api.session.cancel.mutate({ sessionId: session.sessionId })).toEqual({
    outcome: 'nothing_to_cancel',
  });
  expect((await other.api.session.get.query({ sessionId: session.sessionId })).session.pendingRequests).toEqual([
    request,
  ]);
  const optionId = request?.options.find(({ kind }) => kind === 'allow_once')?.id ?? '';
  await other.api.session.respond.mutate({
    sessionId: session.sessionId,
    requestId: request?.id ?? '',
    outcome: { optionId },
  });
  await session.until(({ pendingRequests }) => pendingRequests.length === 0);
  session.stop();
}, 60_000);

test('[S132] [S141] a request is a row: a restart closes it, and whoever answers it then is told', async () => {
  const session = await asked('asking', 'permission', 1);
  const [request] = session.pendingRequests;
  session.stop();
  server.process.kill('SIGKILL');
  const next = await startServer({ dataDir: server.dataDir, agents: { asking: ASKING }, env: { LOG_LEVEL: 'error' } });
  const { session: now } = await next.client.api.session.get.query({ sessionId: session.sessionId });
  expect(now).toMatchObject({ state: 'idle', stopReason: 'interrupted', pendingRequests: [] });
  const late = { sessionId: session.sessionId, requestId: request?.id ?? '', outcome: { optionId: 'y' } };
  await expect(next.client.api.session.respond.mutate(late)).rejects.toMatchObject({
    data: { reason: 'request_closed' },
  });
  await next.stop();
}, 60_000);
