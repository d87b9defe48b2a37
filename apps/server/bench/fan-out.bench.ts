// From an agent's frame to 100 subscribers over WebSocket, next to a raw WebSocket loop of the same pace in the same run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createVigilClient, watchActivity } from '@vigil/client';
import { WebSocket } from 'ws';
import { startServer } from '../test/server-process.ts';

const SUBSCRIBERS = 100;
const FRAMES = 200;
const EVERY_MS = 20;
/** About the size of a `session.updated` event. */
const PADDING = 900;

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const sinceMs = (written: string) => Number(process.hrtime.bigint() - BigInt(written)) / 1e6;

function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

async function throughVigil(): Promise<number[]> {
  const args = [file('./bench-agent.mjs'), String(FRAMES), String(EVERY_MS)];
  const server = await startServer({ agents: { bench: { command: process.execPath, args } } });
  const clients = Array.from({ length: SUBSCRIBERS }, () => createVigilClient({ url: server.url }));
  try {
    const { api } = server.client;
    const task = await api.task.create.mutate({ title: 'bench' });
    const session = await api.session.create.mutate({ taskId: task.id, agentId: 'bench' });
    const latencies: number[] = [];
    const watches = clients.map((client) => {
      let seen = '';
      return watchActivity(client, {
        onEvent: (event) => {
          if (event.type !== 'session.updated' || event.session.title === seen) return;
          seen = event.session.title;
          if (/^\d{10,}$/.test(seen)) latencies.push(sinceMs(seen));
        },
      });
    });
    await Promise.all(watches.map((watch) => watch.until(({ view }) => view.sessions.get(session.id))));
    await api.session.submit.mutate({ sessionId: session.id, text: 'go', clientKey: 'bench' });
    await Promise.all(
      watches.map((watch) =>
        watch.until(({ view }) => (view.sessions.get(session.id)?.stopReason === 'end_turn' ? true : undefined)),
      ),
    );
    for (const watch of watches) watch.stop();
    return latencies;
  } finally {
    await Promise.all(clients.map((client) => client.close()));
    await server.stop();
  }
}

async function throughRawLoop(): Promise<number[]> {
  const args = [file('./raw-loop.mjs'), String(FRAMES), String(EVERY_MS), String(PADDING)];
  const server = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const [port] = (await once(server.stdout, 'data')) as [Buffer];
  const latencies: number[] = [];
  const sockets = await Promise.all(
    Array.from({ length: SUBSCRIBERS }, async () => {
      const socket = new WebSocket(`ws://127.0.0.1:${String(port).trim()}`);
      await once(socket, 'open');
      return socket;
    }),
  );
  const done = sockets.map(
    (socket) =>
      new Promise<void>((resolve) => {
        let left = FRAMES;
        socket.on('message', (data) => {
          latencies.push(sinceMs((JSON.parse(String(data)) as { at: string }).at));
          left -= 1;
          if (left === 0) resolve();
        });
      }),
  );
  server.stdin.write('go\n');
  await Promise.all(done);
  for (const socket of sockets) socket.terminate();
  server.stdin.end();
  await once(server, 'exit');
  return latencies;
}

const rows = [
  { name: 'raw WebSocket loop', latencies: await throughRawLoop() },
  { name: 'agent frame to subscriber', latencies: await throughVigil() },
].map(({ name, latencies }) => {
  const sorted = latencies.sort((a, b) => a - b);
  return { name, p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), messages: sorted.length };
});
const floor = rows[0];
console.log(`fan-out to ${SUBSCRIBERS} subscribers, one frame each ${EVERY_MS} ms, ${FRAMES} frames`);
for (const row of rows) {
  const ratio = floor === undefined ? Number.NaN : row.p50 / floor.p50;
  console.log(
    `  ${row.name.padEnd(26)} p50 ${row.p50.toFixed(2)} ms  p99 ${row.p99.toFixed(2)} ms  ${row.messages} messages  p50 ${ratio.toFixed(1)}x of raw`,
  );
}
