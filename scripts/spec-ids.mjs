// Tests are named by rules of docs/SPEC.md. Every id in a test name must exist; rules without a test are listed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, isMain, shown } from './files.mjs';
import { root } from './process.mjs';

const FOLDERS = ['apps', 'packages', 'e2e'];
const TEST = /\.(test|spec)\.tsx?$/;
const DEFINED = /\*\*([SW]\d+)\*\*/g;
const PROPERTIES = /^## \d+\. Properties[^\n]*\n([\s\S]*?)^## /m;
const NAMED = /['"`]((?:\[[SWP]\d+(?:\s*,\s*[SWP]\d+)*\]\s*)+)/g;

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

const byNumber = (a, b) => a[0].localeCompare(b[0]) || Number(a.slice(1)) - Number(b.slice(1));

/** Answers the ids that tests name and the contract lacks, and the rules that no test names. */
export function checkSpecIds() {
  const defined = definedIds(readFileSync(join(root, 'docs', 'SPEC.md'), 'utf8'));
  const tested = new Set();
  const problems = defined.size === 0 ? ['docs/SPEC.md: expected rule ids such as **S1**, found none.'] : [];
  const tests = FOLDERS.flatMap((folder) => [...filesBelow(join(root, folder))]).filter((path) => TEST.test(path));
  for (const path of tests) {
    for (const id of namedIds(readFileSync(path, 'utf8'))) {
      tested.add(id);
      if (!defined.has(id)) problems.push(`${shown(path)}: names ${id}, which docs/SPEC.md does not define.`);
    }
  }
  return { defined, problems, untested: [...defined].filter((id) => !tested.has(id)).sort(byNumber) };
}

if (isMain(import.meta)) {
  const { defined, problems, untested } = checkSpecIds();
  const silent = untested.length === 0 ? '' : `: ${untested.join(' ')}`;
  console.log([...problems, `${defined.size} rules, ${untested.length} without a test${silent}`].join('\n'));
  process.exitCode = problems.length === 0 ? 0 : 1;
}
