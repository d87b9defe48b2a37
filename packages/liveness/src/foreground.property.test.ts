import { describe, it } from 'vitest';
import { foregroundLaw, staleLaw } from '../test/foreground-referee.ts';
import { holds } from '../test/laws.ts';
import { publicationLaw, readingLaw } from '../test/reading-referee.ts';

describe('the foreground', () => {
  it('[P1] [S6] [S55] [S58] [S59] [S78] has one owner, and changes hands only for a reason', () => {
    holds(foregroundLaw, { runs: 1500 });
  });

  it('[P3] [S53] [S58] is not touched by an operation with a stale token', () => {
    holds(staleLaw, { runs: 1000 });
  });

  it('[P8] [S1] [S2] [S51] [S73] [S75] reads as the tables say, in every record', () => {
    holds(readingLaw, { runs: 1500 });
  });

  it('[S100] is published exactly when what is seen of it changed', () => {
    holds(publicationLaw, { runs: 1000 });
  });
});
