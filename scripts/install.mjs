// Installs the pinned pnpm and, with the frozen lockfile, everything else; a stamp makes the second time free.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expected, must, pnpmBin, pnpmFolder, pnpmVersion, root, sh } from './process.mjs';

const stampFile = join(root, 'node_modules', '.install-stamp');

function manifests() {
  const files = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', 'e2e/package.json'];
  for (const kind of ['apps', 'packages']) {
    for (const name of readdirSync(join(root, kind))) files.push(`${kind}/${name}/package.json`);
  }
  return files.filter((file) => existsSync(join(root, file)));
}

function stamp() {
  const hash = createHash('sha256').update(process.version);
  for (const file of manifests()) hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

function installPnpm() {
  if (existsSync(join(pnpmBin, 'pnpm'))) return;
  console.log(`installing pnpm ${pnpmVersion} into .tools`);
  mkdirSync(pnpmFolder, { recursive: true });
  writeFileSync(join(pnpmFolder, 'package.json'), '{ "private": true }\n');
  const flags = ['--no-audit', '--no-fund', '--no-package-lock', '--no-update-notifier', '--loglevel=error'];
  const code = sh('npm', ['install', '--prefix', pnpmFolder, ...flags, `pnpm@${pnpmVersion}`]);
  if (code !== 0) {
    throw expected(
      `npm could not install pnpm ${pnpmVersion} into .tools (exit code ${code}, output above).\n` +
        'Check that `npm ping` reaches your registry, then run the command again.',
    );
  }
}

/** People see how far it is; a log gets what went wrong, and not a line for every slow request. */
const REPORT = process.stdout.isTTY ? ['--loglevel=error'] : ['--reporter=append-only', '--loglevel=error'];

/** After this every package is installed as the lockfile says. */
export function install() {
  installPnpm();
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp()) return;
  console.log('installing packages; the first time takes a minute or more');
  must('pnpm', ['install', '--frozen-lockfile', ...REPORT]);
  writeFileSync(stampFile, stamp());
}
