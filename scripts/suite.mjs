// `check`, `test` and `e2e`: runs the steps and ends with the line `N passed, N failed[, N skipped]`.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browser } from './browser.mjs';
import { buildAll } from './build.mjs';
import { runCheckSteps } from './checks.mjs';
import { root, seconds, sh } from './process.mjs';
import { playwrightCounts, vitestCounts } from './reports.mjs';
import { Tally } from './tally.mjs';

const reports = join(root, '.cache', 'reports');

function reportFile(name) {
  mkdirSync(reports, { recursive: true });
  const file = join(reports, name);
  rmSync(file, { force: true });
  return file;
}

/** Runs it with a folder for temporary files that is gone afterwards, whatever the tests left there. */
function withTemporary(run) {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-tests-'));
  chmodSync(folder, 0o711); // a database server of the tests may run as another user
  try {
    return run({ TMPDIR: folder });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function runVitest(tally, args = []) {
  const since = performance.now();
  console.log('\nunit, property and integration tests');
  const report = reportFile('vitest.json');
  const flags = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...args];
  const code = withTemporary((env) => sh('vitest', flags, { env }));
  tally.add(vitestCounts(report, code));
  console.log(`  vitest ended with exit code ${code} (${seconds(since)})`);
}

function hasBrowserTests() {
  const folder = join(root, 'e2e', 'tests');
  return existsSync(folder) && readdirSync(folder).length > 0;
}

async function runPlaywright(tally, args = []) {
  console.log('\nbrowser tests');
  if (!hasBrowserTests()) {
    tally.add({ skipped: 1 });
    console.log('  skipped: there is no e2e/tests yet');
    return;
  }
  let path;
  const found = await tally.step('browser', async () => {
    path = await browser();
    return { ok: true, detail: path };
  });
  if (!found) return;
  const since = performance.now();
  const report = reportFile('playwright.json');
  const code = sh('pnpm', ['exec', 'playwright', 'test', '--reporter=list,json', ...args], {
    cwd: join(root, 'e2e'),
    env: { CHROMIUM: path, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  });
  tally.add(playwrightCounts(report, code));
  console.log(`  playwright ended with exit code ${code} (${seconds(since)})`);
}

function build(tally) {
  console.log('\nbuild');
  return tally.step('build', async () => {
    buildAll();
    return { ok: true };
  });
}

function finish(tally, since) {
  console.log(`\ntook ${seconds(since)}\n${tally}`);
  return tally.ok ? 0 : 1;
}

export async function runChecks() {
  const since = performance.now();
  const tally = new Tally();
  await runCheckSteps(tally);
  return finish(tally, since);
}

export async function runEverything() {
  const since = performance.now();
  const tally = new Tally();
  await runCheckSteps(tally);
  // Before the tests: some of them start the mock agent and the server as they are shipped.
  const built = await build(tally);
  runVitest(tally);
  if (built) await runPlaywright(tally);
  else {
    tally.add({ failed: 1 });
    console.log('\nbrowser tests\n  FAIL  not run, because the build failed');
  }
  return finish(tally, since);
}

/** Browser tests alone; arguments go to Playwright. */
export async function runBrowser(args) {
  const since = performance.now();
  const tally = new Tally();
  if (await build(tally)) await runPlaywright(tally, args);
  return finish(tally, since);
}
