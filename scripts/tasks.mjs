// What each root command does.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildAll, buildMock, buildServer } from './build.mjs';
import { install } from './install.mjs';
import { expected, root, sh } from './process.mjs';
import { serve } from './serve.mjs';

const server = join(root, 'apps', 'server');

function start(args) {
  buildServer();
  const entry = join(server, 'dist', 'main.mjs');
  if (!existsSync(entry)) {
    throw expected('Expected the build to write apps/server/dist/main.mjs, and it is not there: see `npm run build`.');
  }
  return serve(entry, args, { NODE_ENV: 'production' });
}

function dev(args) {
  buildMock();
  const tsx = join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs');
  const entry = join(server, 'src', 'main.ts');
  return serve(tsx, ['watch', '--clear-screen=false', entry, ...args], { NODE_ENV: 'development' });
}

/** Runs a program of the workspace from its source. */
function runSource(path, args) {
  return sh(process.execPath, [join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs'), join(root, path), ...args]);
}

function killTests(args) {
  buildServer();
  return runSource('apps/server/test/kills/kill-tests.ts', args);
}

const TASKS = {
  setup: () => 0,
  start,
  dev,
  build: () => buildAll(),
  check: async () => (await import('./suite.mjs')).runChecks(),
  test: async () => (await import('./suite.mjs')).runEverything(),
  e2e: async (args) => (await import('./suite.mjs')).runBrowser(args),
  bench: async (args) => (await import('./bench.mjs')).runBenches(args),
  recordings: (args) => runSource('packages/acp/src/recordings-cli.ts', args),
  'kill-tests': killTests,
  fuzz: (args) => runSource('packages/acp/src/fuzz-cli.ts', args),
};

/** Installs what is missing, runs one task, answers the exit code. */
export async function run(task, args) {
  install();
  return (await TASKS[task](args)) ?? 0;
}
