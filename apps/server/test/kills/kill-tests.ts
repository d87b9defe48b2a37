// Kills servers, agents and databases, and prints what was lost: `pnpm kill-tests [--times 50] [--seed 1]`.
import { parseArgs } from 'node:util';
import { killAgents } from './phases.ts';
import { tableOf } from './table.ts';
import { fillDisk, killPostgres, killServers, Missing, type Result } from './trials.ts';

const { values } = parseArgs({ options: { times: { type: 'string' }, seed: { type: 'string' } } });
const times = Number(values.times ?? 50);
const seed = Number(values.seed ?? 1);
const few = Math.max(1, Math.round(times / 10));
const base = { built: true, seed, sessions: 20 };

const TRIALS: readonly (readonly [string, () => Promise<Result | Result[]>])[] = [
  ['server, embedded', () => killServers({ ...base, kind: 'embedded', times, within: 3_000 })],
  ['server, postgres', () => killServers({ ...base, kind: 'postgres', times, within: 3_000 })],
  ['agents, embedded', () => killAgents({ built: true, kind: 'embedded' })],
  ['agents, postgres', () => killAgents({ built: true, kind: 'postgres' })],
  ['postgres', () => killPostgres({ ...base, times: few, awayMs: 10_000 })],
  ['disk', () => fillDisk({ ...base, times: few, fullMs: 5_000 })],
];

const results: Result[] = [];
for (const [name, run] of TRIALS) {
  process.stderr.write(`${name} …\n`);
  try {
    results.push(...[await run()].flat());
  } catch (error) {
    if (!(error instanceof Missing)) throw error;
    process.stderr.write(`${name}: not run, ${error.message}\n`);
  }
}
process.stdout.write(`${tableOf(results)}\n`);
const bad = results.filter((one) => one.lost.length + one.doubled.length + one.stuck.length > 0);
for (const { what, kind, lost, doubled, stuck } of bad) {
  process.stderr.write(`${what} (${kind}): ${JSON.stringify({ lost, doubled, stuck })}\n`);
}
process.exitCode = bad.length === 0 ? 0 : 1;
