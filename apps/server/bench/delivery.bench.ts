// From a client's submit to the agent's standard input with 200 live sessions, next to the same way without Vigil: one
// write to the same kind of database, and the line to the same agent.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '@vigil/db';
import { createTestPostgres, startTestPostgres } from '@vigil/db/testing';
import { crowd, free, submit } from './crowd.ts';

const SESSIONS = 200;
const PROMPTS = 400;
const AGENT = fileURLToPath(new URL('./lean-agent.pl', import.meta.url));

interface Latency {
  readonly p50: number;
  readonly p99: number;
}

async function readLatency(log: string): Promise<Latency> {
  const sorted = (await readFile(log, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => Number(line) / 1e6)
    .sort((a, b) => a - b);
  const at = (q: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

const now = (): string => `at ${process.hrtime.bigint()}`;

async function throughVigil(log: string, env: Record<string, string>): Promise<Latency> {
  const { server, ids } = await crowd(SESSIONS, { log, env });
  try {
    for (let turn = 0; turn < PROMPTS; turn += 1) {
      const id = ids[turn % SESSIONS] ?? '';
      await submit(server.client, id, now());
      await free(server.client, [id]);
    }
  } finally {
    await server.stop();
  }
  return readLatency(log);
}

async function bare(log: string, options: Parameters<typeof openDatabase>[0]): Promise<Latency> {
  const database = await openDatabase(options);
  await database.migrate();
  const agent = spawn('perl', [AGENT, log], { stdio: ['pipe', 'pipe', 'inherit'] });
  const answered = () => once(agent.stdout, 'data');
  for (let turn = 0; turn < PROMPTS; turn += 1) {
    const text = now();
    await database.settings.set('bench', text);
    const answer = answered();
    agent.stdin.write(`{"jsonrpc":"2.0","id":${turn},"method":"session/prompt","params":{"text":"${text}"}}\n`);
    await answer;
  }
  agent.stdin.end();
  await once(agent, 'exit');
  await database.close();
  return readLatency(log);
}

const folder = await mkdtemp(join(tmpdir(), 'vigil-bench-'));
const stop = await startTestPostgres();
try {
  console.log(`submit to agent, ${SESSIONS} live sessions, ${PROMPTS} prompts one after another`);
  for (const kind of ['embedded', 'postgres'] as const) {
    const postgres = kind === 'postgres' ? [await createTestPostgres(), await createTestPostgres()] : [];
    const floor = await bare(
      join(folder, `${kind}-bare`),
      postgres[0] === undefined ? { dataDir: join(folder, 'bare') } : { url: postgres[0].url },
    );
    const env: Record<string, string> = postgres[1] === undefined ? {} : { DATABASE_URL: postgres[1].url };
    const vigil = await throughVigil(join(folder, `${kind}-vigil`), env);
    for (const [name, { p50, p99 }] of [
      ['bare', floor],
      ['vigil', vigil],
    ] as const)
      console.log(
        `  ${kind.padEnd(9)} ${name.padEnd(6)} p50 ${p50.toFixed(2)} ms  p99 ${p99.toFixed(2)} ms  p50 ${(p50 / floor.p50).toFixed(1)}x of bare`,
      );
    for (const each of postgres) await each.drop();
  }
} finally {
  await stop();
  await rm(folder, { recursive: true, force: true });
}
