// Finds a Chromium for the browser tests, or gets one.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { capture, env, expected, root } from './process.mjs';

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const e2e = join(root, 'e2e');
const DOWNLOAD_MS = 180_000;
const APT_MS = 600_000;

/** A browser that lies there and cannot load its libraries is none. */
function works(path) {
  if (!existsSync(path)) return false;
  return spawnSync(path, ['--version'], { timeout: 20_000 }).status === 0;
}

const installed = () => [process.env.CHROMIUM, ...INSTALLED].find((path) => path && works(path));

function downloaded() {
  const script = "import('@playwright/test').then(({ chromium }) => console.log(chromium.executablePath()))";
  const { stdout } = spawnSync(process.execPath, ['-e', script], { cwd: e2e, env, encoding: 'utf8' });
  const path = (stdout ?? '').trim();
  return path && works(path) ? path : undefined;
}

async function download() {
  console.log("  no browser found, trying Playwright's own download");
  const { code, output } = await capture('pnpm', ['exec', 'playwright', 'install', 'chromium'], {
    cwd: e2e,
    timeout: DOWNLOAD_MS,
  });
  if (code !== 0)
    console.log(`  it failed: ${output.split('\n').find((line) => /error/i.test(line)) ?? `exit code ${code}`}`);
  return downloaded();
}

async function apt() {
  const allowed = process.env.CI || process.env.VIGIL_INSTALL_BROWSER === '1';
  if (!allowed || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined;
  console.log('  installing chromium with apt-get');
  const options = { env: { DEBIAN_FRONTEND: 'noninteractive' }, timeout: APT_MS };
  await capture('apt-get', ['update', '-qq'], options);
  const { code, output } = await capture('apt-get', ['install', '-y', '-qq', 'chromium'], options);
  if (code !== 0) console.log(output);
  return installed();
}

/** The path of a Chromium that starts. Where there is none and none can be got, an error says what to do. */
export async function browser() {
  const path = installed() ?? downloaded() ?? (await download()) ?? (await apt());
  if (path) return path;
  throw expected(
    'The browser tests need Chromium, none was found and Playwright could not download one. Do one of these:\n' +
      '  sudo apt-get install -y chromium          (Debian, Ubuntu)\n' +
      '  VIGIL_INSTALL_BROWSER=1 npm test          (as root: installs it with apt-get)\n' +
      '  CHROMIUM=/path/to/chromium npm test       (one that you have)',
  );
}
