import fc from 'fast-check';
import { describe, test } from 'vitest';
import { History } from './history.ts';
import { plans } from './plans.ts';

const runs = Number(process.env.WORLD_RUNS ?? 300);
const seed = Number(process.env.WORLD_SEED ?? 20_261_201);
const path = process.env.WORLD_PATH;

describe('a simulated world', () => {
  test('[S80, S81, S111, S141, S142, P1, P2, P4, P5, P6, P7, P8, P9, P10] keeps every promise in every history', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), plans(30), async (scheduler, plan) => {
        await History.play(scheduler, plan);
      }),
      { numRuns: runs, seed, ...(path === undefined ? {} : { path, endOnFailure: true }) },
    );
  }, 0);
});
