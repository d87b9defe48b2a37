/**
 * Mutates recordings and plays them: `fuzz [FOLDER] [--seconds N] [--seed N]`. Each problem is told with the seed that
 * finds it again; exits with 1 when there was one.
 */
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { tryOne } from './fuzz/invariants.ts';
import { readLines } from './recordings/recorded-lines.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '300' }, seed: { type: 'string', default: '1' } },
});

const place = positionals.find((one) => one !== '--');
const folder = place
  ? resolve(process.env.INIT_CWD ?? process.cwd(), place)
  : fileURLToPath(new URL('../recordings/', import.meta.url));
const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ndjson'));
const subjects = names.sort().map((name) => ({ name, lines: readLines(join(folder, name)) }));

const until = performance.now() + Number(values.seconds) * 1_000;
let seed = Number(values.seed);
let problems = 0;
while (performance.now() < until && problems < 20) {
  const subject = subjects[(seed * 31) % subjects.length];
  const problem = subject ? tryOne(subject, seed) : 'expected recordings in the folder, there are none';
  if (problem !== null) {
    problems += 1;
    console.error(`seed ${seed}, ${subject?.name}: ${problem}`);
  }
  if (!subject) break;
  seed += 1;
}
console.log(`${seed - Number(values.seed)} mutated recordings played, ${problems} problems; next: --seed ${seed}`);
process.exitCode = problems === 0 ? 0 : 1;
