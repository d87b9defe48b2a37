import { Laboratory } from './laboratory.ts';
import type { Mutant } from './mutant.ts';
import { MUTANTS, SAMPLE } from './mutants.ts';

/** `mutants-cli.ts [--sample] [--examples] [WORD …]`: plants the bugs whose name or file has one of these words, else all. */
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const sample = process.argv.includes('--sample');
const isMeant = ({ name, file }: Mutant) =>
  words.length === 0 || words.some((word) => name.includes(word) || file === word);
const chosen = MUTANTS.filter((mutant) => (sample ? SAMPLE.includes(mutant.name) : isMeant(mutant)));
const suites =
  sample || process.argv.includes('--examples') ? (['examples'] as const) : (['examples', 'laws'] as const);

const laboratory = await Laboratory.open();
const survived: string[] = [];
try {
  for (const suite of suites) {
    const test = await laboratory.failing(suite);
    if (test !== null) throw new Error(`expected all tests to pass before a bug is planted, "${test}" fails`);
  }
  for (const mutant of chosen) {
    const { found } = await laboratory.try(mutant, suites);
    const verdict = found === null ? 'SURVIVED' : 'detected';
    console.log(
      `${verdict}  [${mutant.rule}] ${mutant.file}: ${mutant.name}${found === null ? '' : `  (${found.suite}: ${found.test})`}`,
    );
    if (found === null) survived.push(mutant.name);
  }
} finally {
  await laboratory.close();
}
console.log(`${chosen.length - survived.length} of ${chosen.length} planted bugs detected`);
process.exitCode = survived.length === 0 ? 0 : 1;
