import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { knows, type NameLog, NO_NAMES, noted } from '../src/name-log.ts';
import { done, launched } from './facts.ts';
import { session } from './session-script.ts';

const stored = ({ recent, older }: NameLog): number => older.reduce((sum, { size }) => sum + size, recent.length);
const numbered = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) => `n${from + index}`);

describe('the names of runs that ended', () => {
  it('[S27] are known like those of a plain set, whatever was noted in which order', () => {
    const batches = fc.array(fc.array(fc.nat(400).map(String), { maxLength: 40 }), { maxLength: 60 });
    fc.assert(
      fc.property(batches, (given) => {
        const plain = new Set(given.flat());
        const log = given.reduce(noted, NO_NAMES);
        for (let name = 0; name <= 400; name += 1) expect(knows(log, String(name))).toBe(plain.has(String(name)));
        expect(stored(log)).toBe(plain.size);
      }),
      { numRuns: 60 },
    );
  });

  it('[S27] keep every run of a long execution from living again', () => {
    const s = session();
    s.prompt();
    for (const name of numbered(0, 200)) s.frame(launched(name)).frame(done(name));
    for (const name of numbered(0, 200)) s.frame(launched(name));
    expect(s.work).toEqual([]);
  });

  it('[S27] leave the log as it is when all of them are known', () => {
    const log = noted(NO_NAMES, numbered(0, 100));
    expect(noted(log, numbered(20, 80))).toBe(log);
  });

  it('[S111] are bounded: of very many the oldest are forgotten, never the latest ones', () => {
    let log = NO_NAMES;
    for (let from = 0; from < 300_000; from += 10) log = noted(log, numbered(from, from + 10));
    expect(stored(log)).toBeLessThanOrEqual(70_000);
    expect(numbered(270_000, 300_000).every((name) => knows(log, name))).toBe(true);
    expect(knows(log, 'n0')).toBe(false);
  });
});
