import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Account, randomOf, Traffic } from './traffic.ts';
import { type Kind, World } from './world.ts';

/** One row of the table: what was killed, how often, and what came of it. */
export interface Result extends Account {
  readonly what: string;
  readonly kind: Kind;
  readonly times: number;
  /** From the kill until the truth was back, in ms, each time. */
  readonly took: readonly number[];
}

export interface Plan {
  readonly kind: Kind;
  readonly built?: boolean;
  readonly seed: number;
  readonly sessions: number;
}

/** Why a trial cannot run here. */
export class Missing extends Error {}

async function worldOf(plan: Plan, dataDir?: string): Promise<World> {
  const { kind, built = false } = plan;
  const world = await World.start({ kind, built, ...(dataDir === undefined ? {} : { dataDir }) });
  if (world === null) throw new Missing('there are no Postgres programs');
  return world;
}

/** Kills the server at random moments while sessions run. */
export async function killServers(plan: Plan & { times: number; within: number }): Promise<Result> {
  const world = await worldOf(plan);
  try {
    const traffic = await Traffic.start(world, plan);
    const random = randomOf(plan.seed);
    const took: number[] = [];
    for (let n = 0; n < plan.times; n++) {
      await pause(random() * plan.within);
      took.push(await world.killServer());
    }
    await traffic.stop();
    const account = await traffic.account();
    return { what: '`kill -9` of the server', kind: plan.kind, times: plan.times, took, ...account };
  } finally {
    await world.end();
  }
}

/** Kills Postgres while sessions run, and starts it again after a while. */
export async function killPostgres(plan: Omit<Plan, 'kind'> & { times: number; awayMs: number }): Promise<Result> {
  const world = await worldOf({ ...plan, kind: 'postgres' });
  try {
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
    return { what, kind: 'postgres', times: plan.times, took, ...account };
  } finally {
    await world.end();
  }
}

/** Fills the disk of the data folder while sessions run, frees it again, and restarts the server afterwards. */
export async function fillDisk(plan: Omit<Plan, 'kind'> & { times: number; fullMs: number }): Promise<Result> {
  const disk = mountDisk();
  try {
    const world = await worldOf({ ...plan, kind: 'embedded' }, disk.folder);
    try {
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
      return { what: 'disk full', kind: 'embedded', times: plan.times, took, ...account };
    } finally {
      await world.end();
    }
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
