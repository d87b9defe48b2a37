// What each root command does.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildAll, buildServer } from './build.mjs';
import { install } from './install.mjs';
import { expected, must, root, sh } from './process.mjs';
import { serve } from './serve.mjs';

const server = join(root, 'apps', 'server');

async function start(args) {
  buildServer();
  const entry = join(server, 'dist', 'main.mjs');
  if (!existsSync(entry))
    throw expected('The build left no apps/server/dist/main.mjs; run `npm run build` to see why.');
  return serve(entry, args, { NODE_ENV: 'production' });
}

function dev(args) {
  const entry = join(server, 'src', 'main.ts');
  return serve(
    join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs'),
    ['watch', '--clear-screen=false', entry, ...args],
    {
      NODE_ENV: 'development',
    },
  );
}

const TASKS = {
  setup: () => 0,
  start,
  dev,
  build: () => (buildAll(), 0),
  check: async (args) => (await import('./suite.mjs')).runChecks(args),
  test: async (args) => (await import('./suite.mjs')).runEverything(args),
  e2e: async (args) => (await import('./e2e.mjs')).runBrowserTests(args),
  bench: async (args) => (await import('./bench.mjs')).runBenches(args),
};

/** Installs what is missing, runs one task, answers the exit code. */
export async function run(task, args) {
  install();
  return TASKS[task](args);
}
