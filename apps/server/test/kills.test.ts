import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { killAgents } from './kills/phases.ts';
import { fillDisk, inWorld, killPostgres, killServers, Missing, type Result } from './kills/trials.ts';

/** The bounded form of `pnpm kill-tests`. */
const few = { sessions: 5, seed: 1 };

/** A server is started a dozen times here, and built it starts in half the time: worth the half second that it takes. */
beforeAll(() => {
  const tsdown = join(dirname(createRequire(import.meta.url).resolve('tsdown/package.json')), 'dist', 'run.mjs');
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  execFileSync(process.execPath, [tsdown], { cwd, stdio: 'pipe' });
}, 60_000);

/** Runs a trial, or skips the test with the reason why it cannot run here. */
async function results(
  context: { skip(why: string): void },
  run: () => Promise<Result | Result[]>,
): Promise<readonly Result[]> {
  try {
    return [await run()].flat();
  } catch (error) {
    if (!(error instanceof Missing)) throw error;
    context.skip(error.message);
    return [];
  }
}

function expectNothingLost(all: readonly Result[]): void {
  for (const { what, acknowledged, lost, doubled, stuck } of all) {
    expect({ what, lost, doubled, stuck }).toEqual({ what, lost: [], doubled: [], stuck: [] });
    expect(acknowledged).toBeGreaterThan(0);
  }
}

test.for(['embedded', 'postgres'] as const)(
  '[S11, S56, S80, S110, S141, S142] on %s nothing acknowledged is lost or sent twice, whoever is killed',
  { timeout: 240_000 },
  async (kind, context) => {
    const all = await results(context, () =>
      inWorld({ kind, built: true }, async (world) => [
        await killServers(world, { ...few, times: kind === 'embedded' ? 2 : 3, within: 1_000 }),
        ...(kind === 'postgres' ? [await killPostgres(world, { ...few, times: 1, awayMs: 1_000 })] : []),
        ...(await killAgents(world)),
      ]),
    );
    expectNothingLost(all);
  },
);

test('[S142] a disk that is full loses nothing acknowledged, is told of, and is used again once it has space', async (context) => {
  expectNothingLost(await results(context, () => fillDisk({ ...few, built: true, times: 1, fullMs: 500 })));
}, 180_000);
