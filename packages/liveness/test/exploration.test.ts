import { describe, expect, it } from 'vitest';
import { aggregateProblem } from '../explore/aggregate.ts';
import { Search } from '../explore/search.ts';
import { small, UNIVERSES } from '../explore/universe.ts';
import { SLOW } from './laws.ts';

/** `pnpm explore` goes on from here; this is what every run of the tests can afford. */
const STATES = 1_000;
const CLOSES = ['plain-v1/fine', 'claude-v1-monitor/fine'];

describe('every reachable state', () => {
  it.each(UNIVERSES.filter(({ name }) => CLOSES.includes(name)).map(small))(
    '[P1] [P2] [P3] [P6] [S2] [S10] [S11] [S50] [S110] [S112] of $name is lawful and can come to rest',
    { timeout: SLOW },
    (universe) => {
      const { closed, problem } = new Search(universe).run();
      expect(problem).toBeNull();
      expect(closed).toBe(true);
    },
  );

  it.each(UNIVERSES.filter(({ name }) => name.endsWith('/fine') || name === 'hermes/reported'))(
    '[P1] [P8] [P10] [S73] [S100] of $name is lawful, as far as the first thousand go',
    { timeout: SLOW },
    (universe) => {
      const { states, problem } = new Search(universe, STATES).run();
      expect(problem).toBeNull();
      expect(states).toBeGreaterThanOrEqual(STATES);
    },
  );

  it('[S90] [S91] [S92] [S9] the task of two sessions sums up whatever the two may read', () => {
    const seen = UNIVERSES.filter(({ name }) => name === 'claude-v1/fine').map(
      (each) => new Search(each, STATES).run().steps,
    );
    const { pairs, problem } = aggregateProblem(new Set(seen.flatMap((each) => [...each])));
    expect(problem).toBeNull();
    expect(pairs).toBeGreaterThan(100);
  });
});
