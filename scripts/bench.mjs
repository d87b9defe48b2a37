// Runs every bench of the workspace, one after another, so that none measures another's load. Benches print ratios of
// things measured in the same run, which travel between machines; absolute times do not.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, shown } from './files.mjs';
import { root, seconds, sh } from './process.mjs';

function benches() {
  const folders = ['packages', 'apps'].flatMap((kind) =>
    readdirSync(join(root, kind)).map((name) => join(root, kind, name)),
  );
  return folders
    .flatMap((folder) => [...filesBelow(join(folder, 'bench'))].filter((path) => path.endsWith('.bench.ts')))
    .sort();
}

/** Runs the benches whose path contains one of `words`, or all. Exit code 1 when one of them failed. */
export function runBenches(words) {
  const chosen = benches().filter((path) => words.length === 0 || words.some((word) => shown(path).includes(word)));
  if (chosen.length === 0) console.log(`no bench${words.length > 0 ? ` matches ${words.join(' ')}` : ' yet'}`);
  const failed = chosen.filter((path) => {
    const since = performance.now();
    console.log(`\n${shown(path)}`);
    const code = sh(process.execPath, ['--expose-gc', '--import', 'tsx', path]);
    console.log(`(${code === 0 ? '' : `exit code ${code}, `}${seconds(since)})`);
    return code !== 0;
  });
  return failed.length === 0 ? 0 : 1;
}
