import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { occurrences, sourceOf } from '../mutants/laboratory.ts';
import { MUTANTS, SAMPLE } from '../mutants/mutants.ts';

describe('the planted bugs', () => {
  it('are at least 40, each of another name, and each can still be planted in the present sources', () => {
    expect(MUTANTS.length).toBeGreaterThanOrEqual(40);
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
    const untrue = MUTANTS.filter((mutant) => occurrences(sourceOf(mutant), mutant) !== 1);
    expect(untrue.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
  });

  it('each change something', () => {
    expect(MUTANTS.filter(({ find, replace }) => find === replace)).toEqual([]);
    expect(SAMPLE.filter((name) => !MUTANTS.some((one) => one.name === name))).toEqual([]);
  });

  it('of the sample are all found by the examples', { timeout: 300_000 }, () => {
    const tsx = fileURLToPath(new URL('../../../node_modules/tsx/dist/cli.mjs', import.meta.url));
    const command = fileURLToPath(new URL('../mutants/mutants-cli.ts', import.meta.url));
    const env = { ...process.env, VITEST: undefined, VITEST_WORKER_ID: undefined, VITEST_POOL_ID: undefined };
    const output = execFileSync(process.execPath, [tsx, command, '--sample'], { encoding: 'utf8', env });
    expect(output).toContain(`${SAMPLE.length} of ${SAMPLE.length} planted bugs detected`);
  });
});
