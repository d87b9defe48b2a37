// Files stay short: sources at most 300 lines, tests at most 500. Generated files and recordings are exempt.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, isMain, shown } from './files.mjs';
import { root } from './process.mjs';

const MAX_SOURCE = 300;
const MAX_TEST = 500;
const FOLDERS = ['apps', 'packages', 'e2e', 'scripts'];
const CODE = /(?<!next-env\.d)\.(ts|tsx|mts|mjs|cjs|js)$/;
const TEST = /\.(test|spec)\.tsx?$|\/(test|tests|bench)\//;

/** Answers one line per file that is too long, and how many files were read. */
export function checkLimits() {
  const problems = [];
  const files = FOLDERS.flatMap((folder) => [...filesBelow(join(root, folder))]).filter((path) => CODE.test(path));
  for (const path of files) {
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n').length;
    const limit = TEST.test(shown(path)) ? MAX_TEST : MAX_SOURCE;
    if (lines > limit)
      problems.push(`${shown(path)}: ${lines} lines, at most ${limit} are allowed; split it by concern.`);
  }
  return { read: files.length, problems };
}

if (isMain(import.meta)) {
  const { read, problems } = checkLimits();
  console.log([...problems, `${read} files read, ${problems.length} too long`].join('\n'));
  process.exitCode = problems.length === 0 ? 0 : 1;
}
