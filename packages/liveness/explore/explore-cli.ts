import { aggregateProblem } from './aggregate.ts';
import { Search } from './search.ts';
import { small, UNIVERSES } from './universe.ts';

/** `explore-cli.ts [--small] [NAME …]`: explores the universes whose name has one of these words, else all. */
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const chosen = UNIVERSES.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
const worlds = process.argv.includes('--small') ? chosen.map(small) : chosen;
const limit = Number(process.env.EXPLORE_LIMIT ?? 8_000_000);
const sum = { states: 0, transitions: 0, open: 0, problems: 0 };
const steps = new Set<string>();

for (const universe of worlds) {
  const since = Date.now();
  const { states, transitions, closed, problem, steps: seen } = new Search(universe, limit).run();
  for (const step of seen) steps.add(step);
  sum.states += states;
  sum.transitions += transitions;
  sum.open += closed ? 0 : 1;
  sum.problems += problem === null ? 0 : 1;
  const end = closed ? 'closed' : problem === null ? `stopped at the bound of ${limit} states` : 'stopped';
  console.log(
    `${universe.name.padEnd(28)} ${states} states, ${transitions} transitions, ${end} (${(Date.now() - since) / 1000} s)`,
  );
  if (problem !== null) console.log(problem);
}

const { pairs, problem } = aggregateProblem(steps);
console.log(`task of two sessions: ${pairs} steps of pairs of readings${problem === null ? '' : `\n${problem}`}`);
console.log(
  `${sum.states} states, ${sum.transitions} transitions, ${worlds.length - sum.open} of ${worlds.length} universes closed`,
);
process.exitCode = sum.problems > 0 || problem !== null ? 1 : 0;
