import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestPostgres, openTestDatabases } from '@vigil/db/testing';
import connect from 'postgres';
import { afterEach, expect, test, vi } from 'vitest';
import { holdDatabase } from './held-database.ts';
import { type Server, startServer } from './server-process.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const { process } of servers.splice(0)) process.kill('SIGKILL');
});

async function life(dataDir: string, url: string): Promise<Server> {
  const env = { VIGIL_MOCK_PROVIDER: 'on', LOG_LEVEL: 'error', DATABASE_URL: url };
  const server = await startServer({ dataDir, env });
  servers.push(server);
  return server;
}

const until = <T>(look: () => Promise<T>) => vi.waitFor(look, { timeout: 20_000, interval: 20 });
const missing = openTestDatabases().find((one) => one.kind === 'postgres')?.missing ?? null;

test('[S80, S141] hard case 17: a server killed after Postgres stored a prompt, before it knew: one message, one delivery', async (context) => {
  if (missing !== null) return context.skip(missing);
  const postgres = await createTestPostgres();
  const folder = await mkdtemp(join(tmpdir(), 'vigil-lost-'));
  const way = await holdDatabase(postgres.url);
  const first = await life(folder, way.url);
  const { api } = first.client;
  const { id: taskId } = await api.task.create.mutate({ title: 'A task' });
  const { id: sessionId } = await api.session.create.mutate({ taskId, agentId: 'mock' });
  await api.session.submit.mutate({ sessionId, text: '/wait 60s', clientKey: 'first' });
  // Its acceptance is stored: nothing but the next prompt hangs on what the server hears now.
  const sql = connect(postgres.url, { max: 1 });
  const statusOf = async (key: string) => {
    const [row] = await sql`select id, status from prompts where session_id = ${sessionId} and client_key = ${key}`;
    return row;
  };
  await until(async () => expect(await statusOf('first')).toMatchObject({ status: 'delivered' }));

  const passed = way.holdInsert('/say once');
  const answers: unknown[] = [];
  const asked = fetch(`${first.url}/api/trpc/session.submit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sessionId, text: '/say once', clientKey: 'key' }),
  });
  void asked.then((answer) => answers.push(answer)).catch(() => undefined);
  await passed;
  const stored = await until(async () => {
    const row = await statusOf('key');
    expect(row).toMatchObject({ status: 'queued' });
    return row;
  });
  await sql.end();
  const exit = once(first.process, 'exit');
  first.process.kill('SIGKILL');
  await exit;
  expect(answers).toEqual([]);
  await first.client.close();
  await way.close();

  const second = await life(folder, postgres.url);
  const again = () => second.client.api.session.submit.mutate({ sessionId, text: '/say once', clientKey: 'key' });
  expect(await again()).toMatchObject({ messageId: stored?.id });
  await until(async () => {
    const { messages, queue } = await second.client.api.session.get.query({ sessionId });
    expect(messages.flatMap((one) => (one.kind === 'assistant' ? [one.text] : []))).toEqual(['once']);
    expect(queue).toEqual({ autoRun: true, entries: [] });
  });
  expect(await again()).toMatchObject({ outcome: 'dispatched', messageId: stored?.id });
  await second.stop();
  await rm(folder, { recursive: true, force: true });
  await postgres.drop();
}, 120_000);
