import { Laboratory, type Suite } from './laboratory.ts';
import type { Mutant } from './mutant.ts';
import { MUTANTS, SAMPLE } from './mutants.ts';

/** `mutants-cli.ts [--sample] [--examples] [WORD …]`: plants the bugs whose name or file has one of these words, else all. */
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const sample = process.argv.includes('--sample');
const isMeant = ({ name, file }: Mutant) =>
  words.length === 0 || words.some((word) => name.includes(word) || file === word);
const chosen = MUTANTS.filter((mutant) => (sample ? SAMPLE.includes(mutant.name) : isMeant(mutant)));
const suites: readonly Suite[] = sample || process.argv.includes('--examples') ? ['examples'] : ['examples', 'laws'];

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
