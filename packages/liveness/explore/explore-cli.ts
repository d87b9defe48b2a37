import { aggregateProblem } from './aggregate.ts';
import { Search } from './search.ts';
import { small, UNIVERSES, type Universe } from './universe.ts';

/**
 * `explore-cli.ts [--small | --whole] [NAME …]`: explores the universes whose name has one of these words, else all:
 * first small, most of which close, then whole, each up to EXPLORE_LIMIT states (100,000 unless it is set).
 */
const [flags, words] = [true, false].map((flag) =>
  process.argv.slice(2).filter((word) => word.startsWith('--') === flag),
);
const limit = Number(process.env.EXPLORE_LIMIT ?? 100_000);
const chosen = UNIVERSES.filter(({ name }) => words?.length === 0 || words?.some((word) => name.includes(word)));
const sum = { states: 0, transitions: 0, universes: 0, closed: 0, problems: 0 };
const steps = new Set<string>();

function explore(universe: Universe, bound: number): void {
  const since = Date.now();
  const { states, transitions, closed, problem, steps: seen } = new Search(universe, bound).run();
  for (const step of seen) steps.add(step);
  sum.states += states;
  sum.transitions += transitions;
  sum.universes += 1;
  sum.closed += closed ? 1 : 0;
  sum.problems += problem === null ? 0 : 1;
  const end = closed ? 'closed' : problem === null ? `bound of ${bound} states reached` : 'broken';
  const numbers = `${states} states, ${transitions} transitions`;
  console.log(`${universe.name.padEnd(26)} ${numbers}, ${end} (${Math.round((Date.now() - since) / 1000)} s)`);
  if (problem !== null) console.log(problem);
}

if (flags?.includes('--whole') !== true) for (const each of chosen) explore(small(each), limit);
if (flags?.includes('--small') !== true) for (const each of chosen) explore(each, limit);

const { pairs, problem } = aggregateProblem(steps);
console.log(`task of two sessions: ${pairs} steps from pairs of readings${problem === null ? '' : `\n${problem}`}`);
console.log(
  `${sum.states} states, ${sum.transitions} transitions, ${sum.closed} of ${sum.universes} universes closed, ${sum.problems} problems`,
);
process.exitCode = sum.problems > 0 || problem !== null ? 1 : 0;
