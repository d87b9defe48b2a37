// Builds, and remembers of what, so that a start with nothing changed does not even ask turbo.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, shown } from './files.mjs';
import { must, root } from './process.mjs';

const stampFile = join(root, 'node_modules', '.build-stamp');
const SOURCES = ['apps/server', 'apps/web', 'packages', 'packages/db/migrations'];
const SHARED = ['pnpm-lock.yaml', 'tsconfig.base.json', 'turbo.json'];
const UNBUILT = /^(test|bench)$|(\.test\.tsx?|\.tsbuildinfo|next-env\.d\.ts)$/;
const OUTPUTS = ['apps/server/dist/main.mjs', 'apps/server/dist/headless.mjs', 'apps/web/.next/BUILD_ID'];

/** A hash of the sources and of the identity of what was built; undefined while something is not built. */
function stamp() {
  const hash = createHash('sha256').update(process.versions.node.split('.')[0]);
  const sources = SOURCES.flatMap((folder) => [...filesBelow(join(root, folder), UNBUILT)]).sort();
  for (const path of [...SHARED.map((file) => join(root, file)), ...sources]) {
    hash.update(`\0${shown(path)}\0`).update(readFileSync(path));
  }
  for (const output of OUTPUTS) {
    if (!existsSync(join(root, output))) return undefined;
    const { mtimeMs, size } = statSync(join(root, output));
    hash.update(`\0${output} ${mtimeMs} ${size}`);
  }
  return hash.digest('hex');
}

const turbo = (...args) => must('turbo', ['run', 'build', '--output-logs=errors-only', ...args]);

/** Builds everything, also what `start` does not run. */
export function buildAll() {
  turbo();
  writeFileSync(stampFile, stamp() ?? '');
}

/** The mock agent is a process of its own, so development needs it built too. */
export const buildMock = () => turbo('--filter=@vigil/mock-agent');

/** Builds what `start` runs, unless it is built: the server and what it bundles or mounts. */
export function buildServer() {
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp()) return;
  console.log('building; the first time takes a minute or two');
  turbo('--filter=@vigil/server...');
  writeFileSync(stampFile, stamp() ?? '');
}
