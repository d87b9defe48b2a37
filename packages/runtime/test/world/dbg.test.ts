import { writeSync } from 'node:fs';
import fc from 'fast-check';
import { test } from 'vitest';
import { History } from './history.ts';
import { plans } from './plans.ts';

test('dbg', async () => {
  let n = 0;
  const runs = Number(process.env.WORLD_RUNS ?? 300);
  const seed = Number(process.env.WORLD_SEED ?? 20_261_201);
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), plans(30), async (s, plan) => {
      const t = performance.now();
      try {
        await History.play(s, plan);
        writeSync(2, `${n++} ok ${(performance.now() - t).toFixed(0)}\n`);
      } catch (e) {
        writeSync(2, `${n++} ${plan.steps.length} ${(performance.now() - t).toFixed(0)} ${String(e).slice(0, 300)}\n`);
        throw e;
      }
    }),
    { numRuns: runs, seed, endOnFailure: true },
  );
}, 0);
