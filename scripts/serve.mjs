// Runs a long-lived child: forwards signals once, hands back its exit code, leaves no orphan behind.
import { spawn, spawnSync } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { env, root } from './process.mjs';

const REPEATED_MS = 1_000;
const POLL_MS = 500;

function parentOf(pid) {
  const { stdout } = spawnSync('ps', ['-o', 'ppid=,comm=', '-p', String(pid)], { encoding: 'utf8' });
  const [ppid, name] = (stdout ?? '').trim().split(/\s+/, 2);
  return { ppid: Number(ppid), name: name ?? '' };
}

/** npm may put a shell between itself and us; the shell would outlive a killed npm, so npm itself is watched. */
function npmPid() {
  if (!process.env.npm_lifecycle_event || process.platform === 'win32') return undefined;
  const parent = parentOf(process.ppid);
  return /(^|\/|-)(sh|bash|dash|zsh|ash)$/.test(parent.name) ? parent.ppid : undefined;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function watchParents(onGone) {
  const parent = process.ppid;
  const npm = npmPid();
  const timer = setInterval(() => {
    if (process.ppid === parent && (!npm || isAlive(npm))) return;
    clearInterval(timer);
    onGone();
  }, POLL_MS);
  timer.unref();
}

/** A terminal signals the whole group and npm forwards the signal again: of repeats in a short time one counts. */
function forwardSignals(child) {
  const last = new Map();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      const now = performance.now();
      if (now - (last.get(signal) ?? Number.NEGATIVE_INFINITY) < REPEATED_MS) return;
      last.set(signal, now);
      child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal);
    });
  }
}

/** Runs a Node entry until it ends, and answers its exit code. */
export function serve(entry, args, extraEnv = {}) {
  const watch = pathToFileURL(join(root, 'scripts', 'parent-watch.mjs')).href;
  // In a process group of its own, it gets each signal once: from us.
  const child = spawn(process.execPath, ['--import', watch, entry, ...args], {
    stdio: 'inherit',
    detached: process.platform !== 'win32',
    env: { ...env, ...extraEnv },
  });
  forwardSignals(child);
  watchParents(() => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 0)));
  });
}
