// Kills servers, agents and databases, and prints what was lost: `pnpm kill-tests [--times 50] [--seed 1] [--only postgres]`.
import { parseArgs } from 'node:util';
import { killAgents } from './phases.ts';
import { tableOf } from './table.ts';
import { fillDisk, inWorld, killPostgres, killServers, Missing, type Result } from './trials.ts';
import type { Kind } from './world.ts';

const { values } = parseArgs({
  options: { times: { type: 'string' }, seed: { type: 'string' }, only: { type: 'string' } },
});
const times = Number(values.times ?? 50);
const seed = Number(values.seed ?? 1);
const few = Math.max(1, Math.round(times / 10));
const plan = { seed, sessions: 20 };

const inBoth = (kind: Kind) => async (): Promise<Result[]> => [
  await inWorld({ kind, built: true }, (world) => killServers(world, { ...plan, times, within: 3_000 })),
  ...(await inWorld({ kind, built: true }, killAgents)),
];

const TRIALS: readonly (readonly [string, () => Promise<Result | Result[]>])[] = [
  ['embedded', inBoth('embedded')],
  ['postgres', inBoth('postgres')],
  [
    'outage',
    () =>
      inWorld({ kind: 'postgres', built: true }, (world) =>
        killPostgres(world, { ...plan, times: few, awayMs: 10_000 }),
      ),
  ],
  ['disk', () => fillDisk({ ...plan, built: true, times: few, fullMs: 5_000 })],
];

const results: Result[] = [];
for (const [name, run] of TRIALS) {
  if (values.only !== undefined && values.only !== name) continue;
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
