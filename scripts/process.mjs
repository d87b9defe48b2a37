// The environment of child processes, and three ways to run one.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
process.chdir(root);

const { packageManager } = JSON.parse(readFileSync('package.json', 'utf8'));
export const pnpmVersion = /^pnpm@([\d.]+)/.exec(packageManager)[1];
export const pnpmFolder = join(root, '.tools', `pnpm-${pnpmVersion}`);
export const pnpmBin = join(pnpmFolder, 'node_modules', '.bin');

/** What npm says about how to reach the registry; everything else of its environment would confuse pnpm. */
const KEPT = /^npm_config_(registry|proxy|https_proxy|http_proxy|noproxy|ca|cafile|userconfig|strict_ssl)$/i;

function childEnv() {
  const env = {
    ...process.env,
    PATH: [pnpmBin, join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
    TURBO_TELEMETRY_DISABLED: '1',
    NEXT_TELEMETRY_DISABLED: '1',
    DO_NOT_TRACK: '1',
  };
  for (const key of Object.keys(env)) {
    if (/^npm_(config|package|lifecycle)_/i.test(key) && !KEPT.test(key)) delete env[key];
  }
  // A switch of these scripts; the server refuses VIGIL_* names that it does not know.
  delete env.VIGIL_INSTALL_BROWSER;
  return env;
}

export const env = childEnv();
const shell = process.platform === 'win32';

/** An error whose message is all that the reader needs. */
export function expected(message) {
  return Object.assign(new Error(message), { expected: true });
}

/** Runs a command in the foreground and answers its exit code. */
export function sh(command, args, options = {}) {
  const result = spawnSync(command, args, { stdio: 'inherit', shell, ...options, env: { ...env, ...options.env } });
  if (result.error) throw expected(`Could not run ${command}: ${result.error.message}`);
  return result.status ?? 1;
}

/** Runs a command in the foreground; anything but exit code 0 is an error that names it. */
export function must(command, args, options = {}) {
  const code = sh(command, args, options);
  if (code !== 0) throw expected(`${command} ${args.join(' ')} ended with exit code ${code}; its output is above.`);
}

/** Runs a command quietly. Answers its exit code and both outputs in the order they came. */
export function capture(command, args, options = {}) {
  return new Promise((resolve) => {
    const chunks = [];
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      shell,
      ...options,
      env: { ...env, ...options.env },
    });
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    child.on('error', (error) => resolve({ code: 1, output: `Could not run ${command}: ${error.message}` }));
    child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() }));
  });
}

export const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;
