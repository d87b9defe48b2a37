// A thousand live sessions in one server, each of a real (small) agent process: what each takes of the server's memory,
// and whether the server still answers at once.
import { readFileSync } from 'node:fs';
import { crowd, free, submit } from './crowd.ts';

const SESSIONS = Number(process.env.BENCH_SESSIONS ?? 1_000);

const HEAP = 'nodejs_heap_size_used_bytes';

const rssOf = (pid: number | undefined): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN);

async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? ([\\d.e+-]+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
}

const few = await crowd(10);
const before = await metric(few.server.url, HEAP);
await few.server.stop();
const { server, ids } = await crowd(SESSIONS);
try {
  const [rss, after] = [rssOf(server.process.pid), await metric(server.url, HEAP)];
  await metric(server.url, 'nodejs_eventloop_lag_p99_seconds');
  const since = performance.now();
  for (let round = 0; round < 2; round += 1) {
    await Promise.all(ids.map((id) => submit(server.client, id, `round ${round}`)));
    await free(server.client, ids);
  }
  const took = performance.now() - since;
  const lag = await metric(server.url, 'nodejs_eventloop_lag_p99_seconds');
  const idle = performance.now();
  await server.client.api.server.info.query();
  console.log(`${SESSIONS} live sessions, each of a process`);
  console.log(
    `  memory of the server      ${(rss / 1024).toFixed(0)} MiB in all; heap ${((after - before) / 1024 / (SESSIONS - 10)).toFixed(1)} KiB a session, garbage included`,
  );
  console.log(
    `  ${2 * SESSIONS} prompts, all at once   ${(took / 1000).toFixed(1)} s, ${((2 * SESSIONS * 1000) / took).toFixed(0)} turns a second`,
  );
  console.log(`  event loop delay p99      ${(lag * 1000).toFixed(1)} ms under that load`);
  console.log(`  an answer afterwards      ${(performance.now() - idle).toFixed(1)} ms`);
} finally {
  await server.stop();
}
