import { Laboratory, type Suite } from './laboratory.ts';
import type { Mutant } from './mutant.ts';
import { MUTANTS, SAMPLE } from './mutants.ts';
import { survivorsOf } from './stryker-report.ts';

/**
 * `mutants-cli.ts [--sample] [--examples] [--laws] [--stryker REPORT] [WORD …]`: plants the bugs whose name or file has
 * one of these words, else all; with a report those that a run of Stryker left alive.
 */
const stryker = process.argv.indexOf('--stryker');
const report = stryker < 0 ? undefined : process.argv.splice(stryker, 2)[1];
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const bugs = report === undefined ? MUTANTS : survivorsOf(report);
const sample = process.argv.includes('--sample');
const isMeant = ({ name, file }: Mutant) =>
  words.length === 0 || words.some((word) => name.includes(word) || file === word);
const chosen = bugs.filter((mutant) => (sample ? SAMPLE.includes(mutant.name) : isMeant(mutant)));
const only = sample ? '--examples' : process.argv.find((word) => word === '--examples' || word === '--laws');
const suites = (['examples', 'laws'] as const).filter((suite) => only === undefined || only === `--${suite}`);

/** Plants each bug before one suite; answers those that it did not find. */
async function round(laboratory: Laboratory, suite: Suite, mutants: readonly Mutant[]): Promise<readonly Mutant[]> {
  const broken = await laboratory.failing(suite);
  if (broken !== null) throw new Error(`expected all ${suite} to pass before a bug is planted, "${broken}" fails`);
  const survived: Mutant[] = [];
  for (const mutant of mutants) {
    const test = await laboratory.plant(mutant, suite);
    const verdict = test === null ? 'survived' : 'detected';
    console.log(`${verdict}  [${mutant.rule}] ${mutant.file}: ${mutant.name}${test === null ? '' : `  (${test})`}`);
    if (test === null) survived.push(mutant);
  }
  return survived;
}

let survived: readonly Mutant[] = chosen;
for (const suite of suites) {
  if (survived.length === 0) break;
  console.log(`${survived.length} planted bugs before the ${suite}`);
  // Anew for each suite: Vitest would give the second one files as they were with the last bug of the first.
  const laboratory = await Laboratory.open();
  try {
    survived = await round(laboratory, suite, survived);
  } finally {
    await laboratory.close();
  }
}
for (const { file, name } of survived) console.log(`SURVIVED  ${file}: ${name}`);
console.log(`${chosen.length - survived.length} of ${chosen.length} planted bugs detected`);
process.exitCode = survived.length === 0 ? 0 : 1;
