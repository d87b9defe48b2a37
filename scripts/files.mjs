// Walks source folders: what is generated, recorded or installed is never looked at.
import { existsSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './process.mjs';

const NEVER =
  /^(node_modules|dist|coverage|fixtures|recordings|migrations|test-results|playwright-report|\.next|\.turbo)$/;

/** Every file below a folder, depth first; none when the folder does not exist. `skip` also leaves out such names. */
export function* filesBelow(folder, skip = /^$/) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (NEVER.test(entry.name) || skip.test(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path, skip);
    else if (entry.isFile()) yield path;
  }
}

/** A path as it is written in messages: from the root, with slashes. */
export const shown = (path, base = root) => relative(base, path).split(sep).join('/');

/** Whether a script was started itself rather than imported. */
export const isMain = (meta) => meta.url === pathToFileURL(process.argv[1]).href;
