import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readLines } from '../recordings/recorded-lines.ts';
import { tryOne } from './invariants.ts';

const FOLDER = fileURLToPath(new URL('../../recordings/', import.meta.url));
/** The seeds are tried in their order; how many are depends on the machine, and `pnpm fuzz --seed N` goes on from any. */
const BUDGET_MS = 60_000;

it('[S23, S45, S123] reads mutated recordings without a fall, and claims nothing on account of their text', () => {
  const names = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ndjson'));
  const subjects = names.sort().map((name) => ({ name, lines: readLines(join(FOLDER, name)) }));
  const until = performance.now() + BUDGET_MS;
  const found: string[] = [];
  let seed = 1;
  for (; performance.now() < until && found.length < 20; seed += 1) {
    const subject = subjects[(seed * 31) % subjects.length];
    const problem = subject ? tryOne(subject, seed) : 'expected recordings, there are none';
    if (problem !== null) found.push(`seed ${seed}, ${subject?.name}: ${problem}`);
  }

  expect(found).toEqual([]);
  expect(seed).toBeGreaterThan(subjects.length);
}, 120_000);
