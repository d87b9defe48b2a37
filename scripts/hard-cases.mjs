// docs/hard-cases.md says where each hard case is played: both ways it must agree with the tests that name one.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, isMain, shown } from './files.mjs';
import { root } from './process.mjs';

const PAGE = join('docs', 'hard-cases.md');
const COUNT = 30;
const TEST = /\.(test|spec)\.tsx?$/;
const NAMED = /\bhard case (\d+):/g;

/** `U liveness · S runtime, server · E` → liveness, runtime, server, e2e. */
function ownersIn(cell) {
  return cell.split('·').flatMap((part) => {
    const [layer, ...owners] = part.trim().split(/[ ,]+/);
    return layer === 'E' ? ['e2e'] : owners;
  });
}

/** Which packages the page names, by case. */
function claimed() {
  const rows = readFileSync(join(root, PAGE), 'utf8').matchAll(/^\| (\d+) \|.*\| ([^|]*) \|$/gm);
  return new Map([...rows].map(([, number, cell]) => [Number(number), new Set(ownersIn(cell))]));
}

/** Which packages have a test that names a case. */
function played() {
  const cases = new Map();
  for (const path of ['apps', 'packages', 'e2e'].flatMap((folder) => [...filesBelow(join(root, folder))])) {
    if (!TEST.test(path)) continue;
    const [owner] = shown(path)
      .replace(/^(packages|apps)\//, '')
      .split('/');
    for (const [, number] of readFileSync(path, 'utf8').matchAll(NAMED))
      cases.set(Number(number), (cases.get(Number(number)) ?? new Set()).add(owner));
  }
  return cases;
}

/** Answers where the page and the tests disagree, and how many cases there are. */
export function checkHardCases() {
  const [said, done] = [claimed(), played()];
  const numbers = Array.from({ length: COUNT }, (_, index) => index + 1);
  const problems = numbers.flatMap((number) => {
    const [told, found] = [said.get(number) ?? new Set(), done.get(number) ?? new Set()];
    const missing = [...told].filter((owner) => !found.has(owner));
    const untold = [...found].filter((owner) => !told.has(owner));
    return [
      ...(told.size === 0 ? [`${PAGE}: expected hard case ${number} to be played somewhere.`] : []),
      ...missing.map((owner) => `${PAGE}: says that ${owner} plays hard case ${number}, no test there names it.`),
      ...untold.map((owner) => `${PAGE}: does not say that ${owner} plays hard case ${number}.`),
    ];
  });
  const strangers = [...done.keys()].filter((number) => number > COUNT);
  return { cases: COUNT, problems: [...problems, ...strangers.map((each) => `a test names hard case ${each}.`)] };
}

if (isMain(import.meta)) {
  const { cases, problems } = checkHardCases();
  console.log([...problems, `${cases} hard cases`].join('\n'));
  process.exitCode = problems.length === 0 ? 0 : 1;
}
