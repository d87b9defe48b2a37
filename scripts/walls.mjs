// Runs dependency-cruiser over the walls, and proves that it really reads the code: it must have read every module of
// every package that lies on disk, and it must catch a planted violation of every rule.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { filesBelow, isMain, shown } from './files.mjs';
import { capture, root } from './process.mjs';
import { PLANTED } from './walls-planted.mjs';

const CONFIG = join(root, '.dependency-cruiser.cjs');
const CLI = join(root, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs');
const CODE = /(?<!\.d)\.tsx?$/;

async function cruise(folder) {
  const scope = ['packages', 'apps', 'e2e'].filter((name) => existsSync(join(folder, name)));
  const args = [CLI, ...scope, '--config', CONFIG, '--output-type', 'json'];
  const { code, output } = await capture(process.execPath, args, { cwd: folder });
  try {
    return JSON.parse(output);
  } catch {
    throw new Error(`dependency-cruiser gave no report (exit code ${code}):\n${output}`);
  }
}

/** One line per package of which dependency-cruiser did not read every source file. */
function unread(modules) {
  const read = new Set(modules.map(({ source }) => source));
  const folders = ['packages', 'apps'].flatMap((kind) =>
    readdirSync(join(root, kind)).map((name) => `${kind}/${name}`),
  );
  return [...folders, 'e2e'].flatMap((folder) => {
    const onDisk = [...filesBelow(join(root, folder))].map((path) => shown(path)).filter((path) => CODE.test(path));
    const missing = onDisk.filter((path) => !read.has(path));
    if (missing.length === 0) return [];
    return [`${folder}: of ${onDisk.length} modules dependency-cruiser did not read ${missing.join(', ')}.`];
  });
}

const describe = ({ rule, from, to, cycle }) =>
  `${rule.name}: ${[from, ...(cycle ? cycle.map((step) => step.name) : [to])].join(' → ')}`;

/** Walls that the real code breaks, and packages that were not read. */
export async function checkWalls() {
  const { modules, summary } = await cruise(root);
  const read = modules.filter(({ source }) => CODE.test(source) && !source.includes('node_modules/')).length;
  return { modules: read, problems: [...summary.violations.map(describe), ...unread(modules)] };
}

function plant(folder) {
  for (const [path, text] of Object.entries(PLANTED.files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  mkdirSync(join(folder, 'node_modules', '@vigil'), { recursive: true });
  for (const name of PLANTED.packages) {
    symlinkSync(join(folder, 'packages', name), join(folder, 'node_modules', '@vigil', name), 'junction');
  }
}

/** Plants every violation in a scratch workspace; answers one line per rule that stayed silent or spoke up wrongly. */
export async function proveWalls() {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-walls-'));
  try {
    plant(folder);
    const { summary } = await cruise(folder);
    const caught = new Set(summary.violations.map(({ rule, from }) => `${rule.name} ${from}`));
    const rules = [...readFileSync(CONFIG, 'utf8').matchAll(/(?:name: |only\()'([a-z-]+)'/g)].map((match) => match[1]);
    const missed = PLANTED.violations.filter((line) => !caught.has(line)).map((line) => `planted, not caught: ${line}`);
    const unplanted = rules.filter((rule) => !PLANTED.violations.some((line) => line.startsWith(`${rule} `)));
    const wrong = [...caught].filter((line) => PLANTED.allowed.some((path) => line.endsWith(` ${path}`)));
    return {
      rules: rules.length,
      problems: [
        ...missed,
        ...unplanted.map((rule) => `no violation is planted for: ${rule}`),
        ...wrong.map((line) => `allowed, but caught: ${line}`),
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (isMain(import.meta)) {
  const walls = await checkWalls();
  const proof = await proveWalls();
  const problems = [...walls.problems, ...proof.problems];
  const sum = `${walls.modules} modules read, ${proof.rules} walls proven, ${problems.length} problems`;
  console.log([...problems, sum].join('\n'));
  process.exitCode = problems.length === 0 ? 0 : 1;
}
