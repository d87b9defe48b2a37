import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readLines } from '../recordings/recorded-lines.ts';
import { tryOne } from './invariants.ts';

const FOLDER = fileURLToPath(new URL('../../recordings/', import.meta.url));
const ROUNDS = 600;
const BUDGET_MS = 15_000;

it('[S23, S45, S123] reads mutated recordings without a fall, and claims nothing on account of their text', () => {
  const names = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ndjson'));
  const until = performance.now() + BUDGET_MS;
  const found: string[] = [];
  for (let seed = 1; seed <= ROUNDS && performance.now() < until; seed += 1) {
    const name = names.sort()[(seed * 31) % names.length] ?? '';
    const problem = tryOne({ name, lines: readLines(join(FOLDER, name)) }, seed);
    if (problem !== null) found.push(`seed ${seed}, ${name}: ${problem}`);
  }

  expect(found).toEqual([]);
}, 30_000);
