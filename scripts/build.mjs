// Builds, and remembers of what, so that a start with nothing changed does not even ask turbo.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { must, root } from './process.mjs';

const stampFile = join(root, 'node_modules', '.build-stamp');
const SOURCES = ['apps/server', 'apps/web', 'packages'];
const SHARED = ['pnpm-lock.yaml', 'tsconfig.base.json', 'turbo.json'];
const SKIPPED = /^(node_modules|dist|test|bench|fixtures|coverage|\.next|\.turbo)$/;
const UNBUILT = /(\.test\.tsx?|\.tsbuildinfo|next-env\.d\.ts)$/;
const OUTPUTS = ['apps/server/dist/main.mjs', 'apps/server/dist/headless.mjs', 'apps/web/.next/BUILD_ID'];

function* files(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (SKIPPED.test(entry.name) || UNBUILT.test(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* files(path);
    else if (entry.isFile()) yield path;
  }
}

/** A hash of the sources, and of when and what was built; undefined while something is not built. */
function stamp() {
  const hash = createHash('sha256').update(process.versions.node.split('.')[0]);
  const sources = SOURCES.flatMap((folder) => [...files(join(root, folder))]).sort();
  for (const path of [...SHARED.map((file) => join(root, file)), ...sources]) {
    hash.update(`\0${relative(root, path).split(sep).join('/')}\0`).update(readFileSync(path));
  }
  for (const output of OUTPUTS) {
    if (!existsSync(join(root, output))) return undefined;
    const { mtimeMs, size } = statSync(join(root, output));
    hash.update(`\0${output} ${mtimeMs} ${size}`);
  }
  return hash.digest('hex');
}

const turbo = (...args) => must('turbo', ['run', 'build', '--output-logs=errors-only', ...args]);

export const buildAll = () => turbo();

/** Builds what `start` runs: the server and what it bundles or mounts. */
export function buildServer() {
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp()) return false;
  turbo('--filter=@vigil/server...');
  writeFileSync(stampFile, stamp() ?? '');
  return true;
}
