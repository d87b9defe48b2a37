// Tests are named by rules of docs/SPEC.md, and docs/rules.md says where each rule is proven: both are held to the tests.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, isMain, shown } from './files.mjs';
import { root } from './process.mjs';

const FOLDERS = ['apps', 'packages', 'e2e'];
const TEST = /\.(test|spec)\.tsx?$/;
const DEFINED = /\*\*([SW]\d+)\*\*/g;
const PROPERTIES = /^## \d+\. Properties[^\n]*\n([\s\S]*?)^## /m;
const NAMED = /['"`]((?:\[[SWP]\d+(?:\s*,\s*[SWP]\d+)*\]\s*)+)/g;
const CORE = 'liveness';
const PAGE = join('docs', 'rules.md');

/** The rule ids that the contract defines: **S1** and **W1** anywhere, P1 … in the section of properties. */
export function definedIds(spec) {
  const properties = PROPERTIES.exec(spec)?.[1] ?? '';
  return new Set([
    ...[...spec.matchAll(DEFINED)].map((match) => match[1]),
    ...(properties.match(/\bP\d+(?= )/g) ?? []),
  ]);
}

/** The rule ids at the start of test names: `[S50] refuses …`, `[S50] [P1] …` or `[S50, P1] …`. */
export function namedIds(source) {
  return [...source.matchAll(NAMED)].flatMap((match) => match[1].match(/[SWP]\d+/g) ?? []);
}

/** `S1–S3, W1` → S1, S2, S3, W1; a range holds only ids that are defined. */
function idsIn(text, defined) {
  return [...text.matchAll(/([SWP])(\d+)(?:–\1(\d+))?/g)].flatMap(([, letter, from, to]) => {
    const numbers = Array.from({ length: Number(to ?? from) - Number(from) + 1 }, (_, index) => Number(from) + index);
    const ids = numbers.map((number) => `${letter}${number}`);
    return to === undefined ? ids : ids.filter((id) => defined.has(id));
  });
}

/** What docs/rules.md claims: pairs of a rule and the package that proves it; `null` where it says that none does. */
function claims(page, defined) {
  const [core = '', others = ''] = page.split(/^## /m).slice(1);
  const rows = others.split('\n').flatMap((line) => {
    const [, rules, packages] = /^\| ([SWP]\d[^|]*)\| ([^|]*)\|$/.exec(line) ?? [];
    if (rules === undefined) return [];
    const named = packages.startsWith('–') ? [null] : packages.trim().split(/,\s*/);
    return idsIn(rules, defined).flatMap((id) => named.map((name) => [id, name]));
  });
  return [...idsIn(core, defined).map((id) => [id, CORE]), ...rows];
}

/** Every rule id that the name of a test begins with: where, and by whom it is proven. */
function* namings() {
  const files = FOLDERS.flatMap((folder) => [...filesBelow(join(root, folder))]).map((path) => [path, shown(path)]);
  for (const [path, name] of files.filter(([path]) => TEST.test(path))) {
    const [owner] = name.replace(/^(packages|apps)\//, '').split('/');
    for (const id of namedIds(readFileSync(path, 'utf8'))) {
      // A rule is proven by an example that one can read; a law over histories proves properties.
      const isLaw = path.endsWith('.property.test.ts') && !id.startsWith('P');
      yield { id, file: name, owner: isLaw ? 'laws' : owner };
    }
  }
}

/** Which packages name which rule in a test, and the ids that are no rule. */
function testedIn(defined) {
  const tested = new Map();
  const problems = [];
  for (const { id, file, owner } of namings()) {
    if (!defined.has(id)) problems.push(`${file}: names ${id}, which docs/SPEC.md does not define.`);
    tested.set(id, (tested.get(id) ?? new Set()).add(owner));
  }
  return { tested, problems };
}

/** Problems of docs/rules.md: a rule that is missing or told twice, a proof that is not there, a gap that is none. */
function pageProblems(claimed, { defined, tested }) {
  const owners = new Map();
  for (const [id, name] of claimed) owners.set(id, [...(owners.get(id) ?? []), name]);
  return [
    ...[...defined].filter((id) => !owners.has(id)).map((id) => `${PAGE}: expected ${id} to stand there.`),
    ...[...owners.keys()].filter((id) => !defined.has(id)).map((id) => `${PAGE}: ${id} is not in docs/SPEC.md.`),
    ...[...owners].flatMap(([id, names]) => {
      if (new Set(names).size < names.length) return [`${PAGE}: ${id} stands there twice.`];
      const found = tested.get(id) ?? new Set();
      if (names.includes(null)) return found.size === 0 ? [] : [`${PAGE}: says that nothing proves ${id}, tests do.`];
      const missing = names.filter((name) => !found.has(name));
      return missing.map((name) => `${PAGE}: says that ${name} proves ${id}, no test there names it.`);
    }),
  ];
}

/** Answers what is wrong with test names and docs/rules.md, and the rules that no test names. */
export function checkSpecIds() {
  const defined = definedIds(readFileSync(join(root, 'docs', 'SPEC.md'), 'utf8'));
  const none = defined.size === 0 ? ['docs/SPEC.md: expected rule ids such as **S1**, found none.'] : [];
  const { tested, problems } = testedIn(defined);
  const claimed = claims(readFileSync(join(root, PAGE), 'utf8'), defined);
  const untested = [...defined].filter((id) => !tested.has(id));
  return { defined, problems: [...none, ...problems, ...pageProblems(claimed, { defined, tested })], untested };
}

if (isMain(import.meta)) {
  const { defined, problems, untested } = checkSpecIds();
  const silent = untested.length === 0 ? '' : `: ${untested.join(' ')}`;
  console.log([...problems, `${defined.size} rules, ${untested.length} without a test${silent}`].join('\n'));
  process.exitCode = problems.length === 0 ? 0 : 1;
}
