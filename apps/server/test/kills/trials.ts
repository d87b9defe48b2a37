import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Account, randomOf, Traffic } from './traffic.ts';
import { type Kind, World, type WorldOptions } from './world.ts';

/** One row of the table: what was killed, how often, and what came of it. */
export interface Result extends Account {
  readonly what: string;
  readonly kind: Kind;
  readonly times: number;
  /** From the kill until the truth was back, in ms, each time. */
  readonly took: readonly number[];
}

export interface Plan {
  readonly seed: number;
  readonly sessions: number;
  readonly times: number;
}

/** Why a trial cannot run here. */
export class Missing extends Error {}

/** Runs trials in one world. */
export async function inWorld<T>(options: WorldOptions, run: (world: World) => Promise<T>): Promise<T> {
  const world = await World.start(options);
  if (world === null) throw new Missing('there are no Postgres programs');
  try {
    return await run(world);
  } finally {
    await world.end();
  }
}

/** Kills the server at random moments, at most `within` ms after the truth was back, while sessions run. */
export async function killServers(world: World, plan: Plan & { within: number }): Promise<Result> {
  const traffic = await Traffic.start(world, plan);
  const random = randomOf(plan.seed);
  const took: number[] = [];
  for (let n = 0; n < plan.times; n++) {
    await pause(random() * plan.within);
    took.push(await world.killServer());
    await traffic.tend();
  }
  await traffic.stop();
  const account = await traffic.account();
  return { what: '`kill -9` of the server', kind: world.kind, times: plan.times, took, ...account };
}

/** Kills Postgres while sessions run, and starts it again after a while. */
export async function killPostgres(world: World, plan: Plan & { awayMs: number }): Promise<Result> {
  const traffic = await Traffic.start(world, plan);
  const took: number[] = [];
  for (let n = 0; n < plan.times; n++) {
    await pause(1_000);
    await world.postgres?.crash();
    await pause(plan.awayMs);
    await world.saysNotSaving();
    await world.postgres?.revive();
    const since = performance.now();
    await world.truth();
    took.push(performance.now() - since);
  }
  await traffic.stop();
  const account = await traffic.account();
  const what = `\`kill -9\` of Postgres, away for ${plan.awayMs / 1_000} s`;
  return { what, kind: world.kind, times: plan.times, took, ...account };
}

/** Fills the disk of the data folder while sessions run, frees it again, and restarts the server afterwards. */
export async function fillDisk(plan: Plan & { fullMs: number; built?: boolean }): Promise<Result> {
  const disk = mountDisk();
  const options = { kind: 'embedded', built: plan.built === true, dataDir: disk.folder } as const;
  try {
    return await inWorld(options, async (world) => {
      const traffic = await Traffic.start(world, plan);
      const took: number[] = [];
      for (let n = 0; n < plan.times; n++) {
        await pause(1_000);
        const filler = fill(disk.folder);
        await world.saysNotSaving();
        await pause(plan.fullMs);
        rmSync(filler);
        const since = performance.now();
        await world.truth();
        took.push(performance.now() - since);
      }
      await traffic.stop();
      await traffic.account();
      await world.killServer();
      const account = await traffic.account();
      return { what: 'disk full, and then a restart', kind: world.kind, times: plan.times, took, ...account };
    });
  } finally {
    disk.unmount();
  }
}

function mountDisk(): { folder: string; unmount(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'tmpfs', folder], { stdio: 'pipe' });
  } catch {
    rmSync(folder, { recursive: true });
    throw new Missing('this user may not mount a small disk (needs root on Linux)');
  }
  return {
    folder,
    unmount() {
      execFileSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

/** Writes until nothing more fits, in smaller and smaller pieces. */
function fill(folder: string): string {
  const path = join(folder, 'filler');
  const file = openSync(path, 'w');
  for (const size of [1 << 20, 1 << 12]) {
    const piece = Buffer.alloc(size);
    try {
      for (;;) writeSync(file, piece);
    } catch {
      // Full.
    }
  }
  closeSync(file);
  return path;
}
