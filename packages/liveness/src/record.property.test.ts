import { describe, it } from 'vitest';
import { foregroundLaw, staleLaw } from '../test/foreground-referee.ts';
import { holds, RUNS, SLOW } from '../test/laws.ts';
import { publicationLaw, readingLaw } from '../test/reading-referee.ts';
import { workLaw } from '../test/work-referee.ts';

describe('the record', () => {
  it('[P1] [S6] [S55] [S58] [S59] [S78] has one owner of the foreground, which changes hands only for a reason', {
    timeout: SLOW,
  }, () => {
    holds(foregroundLaw, RUNS);
  });

  it('[P2] [S20] [S22] [S27] [S28] [S32] counts what the evidence of each live execution adds up to', {
    timeout: SLOW,
  }, () => {
    holds(workLaw, RUNS);
  });

  it('[P3] [S53] [S58] is not touched by an operation with a stale token', { timeout: SLOW }, () => {
    holds(staleLaw, RUNS);
  });

  it('[P8] [S1] [S2] [S51] [S73] [S75] reads as the tables say', { timeout: SLOW }, () => {
    holds(readingLaw, RUNS);
  });

  it('[S100] [S21] is published exactly when what is seen of it changed', { timeout: SLOW }, () => {
    holds(publicationLaw, RUNS);
  });
});
