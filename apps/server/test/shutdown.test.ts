import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ownPostgresOf } from '@vigil/db/testing';
import { describe, expect, test } from 'vitest';
import { type Server, startServer } from './server-process.ts';

const HUNG = { command: process.execPath, args: [fileURLToPath(new URL('./hung-agent.mjs', import.meta.url))] };
const AGENTS = 20;
const STOP_WITHIN_MS = 10_000;

/** Processes of hung agents that this server started. */
function hungOf(server: Server): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      const isHung = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('hung-agent.mjs');
      return isHung && readFileSync(`/proc/${pid}/stat`, 'utf8').includes(`) S ${server.process.pid} `);
    } catch {
      return false;
    }
  });
}

function lives(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

async function withHungAgents(env: Record<string, string> = {}): Promise<Server> {
  const server = await startServer({ agents: { hung: HUNG }, env: { LOG_LEVEL: 'error', ...env } });
  const { api } = server.client;
  const task = await api.task.create.mutate({ title: 'hung' });
  const sessions = await Promise.all(
    Array.from({ length: AGENTS }, () => api.session.create.mutate({ taskId: task.id, agentId: 'hung' })),
  );
  await Promise.all(
    sessions.map(({ id }) => api.session.submit.mutate({ sessionId: id, text: 'hang', clientKey: id })),
  );
  const watch = server.watch(task.id, () => {});
  await watch.until(
    ({ view }) => [...view.sessions.values()].filter((one) => one.state === 'running').length === AGENTS || undefined,
  );
  watch.stop();
  return server;
}

/** Exit code and time in ms of a stop as an operator would ask for it. */
async function stopOf(server: Server): Promise<{ code: number | null; took: number }> {
  const since = performance.now();
  const exit = once(server.process, 'exit');
  server.process.kill('SIGTERM');
  const [code] = await exit;
  return { code, took: performance.now() - since };
}

describe('a stop', () => {
  test('[S110, S141] ends 20 agents that hear nothing, writes what they were, and is over within 10 s', async () => {
    const server = await withHungAgents();
    const { code, took } = await stopOf(server);
    expect(took).toBeLessThan(STOP_WITHIN_MS);
    expect(code).toBe(0);
    expect(hungOf(server)).toEqual([]);
    // Without the agent, so that nothing is sent again: nobody had said that the prompts were taken.
    const again = await startServer({ dataDir: server.dataDir, agents: {} });
    const { sessions } = await again.client.api.activity.get.query({});
    const kept = { state: 'idle', executionId: null, queuedPromptCount: 1 };
    expect(sessions).toEqual(sessions.map(() => expect.objectContaining(kept)));
    expect(sessions).toHaveLength(AGENTS);
    await again.stop();
    await server.stop();
  }, 120_000);

  test('[S141] ends at once at a second SIGTERM, and the next start ends what was left', async () => {
    const server = await withHungAgents();
    const agents = hungOf(server);
    expect(agents).toHaveLength(AGENTS);
    const exit = once(server.process, 'exit');
    server.process.kill('SIGTERM');
    // It takes no more requests: the first was heard.
    await expect
      .poll(() =>
        fetch(`${server.url}/api/health`).then(
          () => true,
          () => false,
        ),
      )
      .toBe(false);
    server.process.kill('SIGTERM');
    expect((await exit)[0]).toBe(1);
    expect(agents.filter(lives)).toHaveLength(AGENTS);
    const again = await startServer({ dataDir: server.dataDir, agents: {} });
    expect(agents.filter(lives)).toEqual([]);
    const { sessions } = await again.client.api.activity.get.query({});
    const kept = {
      state: 'idle',
      stopReason: 'interrupted',
      executionId: null,
      liveness: 'live',
      queuedPromptCount: 1,
    };
    expect(sessions).toEqual(sessions.map(() => expect.objectContaining(kept)));
    await again.stop();
    await server.stop();
  }, 120_000);

  test('[S142] is over within 10 s though the database answers nothing and 20 agents hear nothing', async (context) => {
    const postgres = await ownPostgresOf(context);
    const server = await withHungAgents({ DATABASE_URL: postgres.url });
    postgres.freeze(true);
    const { code, took } = await stopOf(server);
    postgres.freeze(false);
    expect(took).toBeLessThan(STOP_WITHIN_MS);
    expect(code).toBe(1);
    expect(hungOf(server)).toEqual([]);
    await server.stop();
    await postgres.stop();
  }, 120_000);
});
