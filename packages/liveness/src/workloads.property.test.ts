import { describe, it } from 'vitest';
import { holds } from '../test/laws.ts';
import { workLaw } from '../test/work-referee.ts';

describe('workloads', () => {
  it('[P2] [S20] [S27] [S28] [S32] counts what the evidence of each live execution adds up to', () => {
    holds(workLaw, { runs: 1500 });
  });
});
