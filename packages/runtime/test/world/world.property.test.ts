import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { History } from './history.ts';
import { plans } from './plans.ts';

// The long form: WORLD_RUNS=10000 pnpm world. A failing history again: WORLD_SEED and WORLD_PATH as it was reported.
const runs = Number(process.env.WORLD_RUNS ?? 1_200);
const seed = Number(process.env.WORLD_SEED ?? 20_261_201);
const path = process.env.WORLD_PATH;

/** Where histories must have been, or they show little. */
const EXPECTED = [
  ...['created', 'starting', 'running', 'waiting_for_input', 'idle', 'completed', 'failed', 'cancelled'],
  ...['generating', 'background', 'coarse', 'reported', 'fine', 'live', 'unknown', 'a follow-up is expected', 'asked'],
  ...['handoff_not_attested', 'stopping', 'session_ended', 'retired', 'already_retired'],
  ...['taken', 'taken again after an unrecorded take', 'a key again', 'handed over', 'abandoned'],
  ...['written beside a turn that was never answered', 'promised and delivered', 'promised and queued'],
  ...['promised and dropped', 'refused unavailable', 'refused stop_failed', 'refused provider_busy'],
  ...['refused prompt_in_progress', 'refused starting', 'refused task_archived'],
];

describe('a simulated world', () => {
  test('[S50, S53, S56, S80, S81, S111, S114, S141, S142, P1, P2, P4, P5, P6, P7, P8, P9, P10] keeps its promises in every history', async () => {
    const reached = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), plans(30), async (scheduler, plan) => {
        const history = await History.play(scheduler, plan);
        for (const what of history.world.reached) reached.add(what);
      }),
      { numRuns: runs, seed, ...(path === undefined ? {} : { path, endOnFailure: true }) },
    );
    if (path === undefined) expect(EXPECTED.filter((what) => !reached.has(what))).toEqual([]);
  }, 0);
});
