import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import type { Connection } from './connection.ts';
import type { OpenOptions } from './database.ts';
import { requireSpace } from './disk-space.ts';
import { DatabaseError } from './errors.ts';
import { settled } from './gate.ts';
import { type FolderLock, lockFolder } from './lock.ts';
import { migrateWith } from './migration.ts';

/** Starts Postgres in this process, on a data folder that it locks or in memory. */
export async function connectEmbedded(options: Omit<OpenOptions, 'url'>): Promise<Connection> {
  const { dataDir, template, onQuery } = options;
  const lock = dataDir === undefined ? null : await lockDataFolder(dataDir);
  const client = await start(dataDir, template).catch(async (error: unknown) => {
    await lock?.release();
    throw error;
  });
  const db = drizzle(client, onQuery ? { logger: { logQuery: onQuery } } : {});
  return {
    kind: 'embedded',
    db,
    // The lock on the folder goes with the process only; what may fail is the disk.
    usable: async () => {
      if (dataDir !== undefined) requireSpace(dataDir);
    },
    migrate: () => migrateWith(db, (folder) => migrate(db, { migrationsFolder: folder })),
    async close(withinMs) {
      let closed = false;
      await settled(
        client.close().then(() => {
          closed = true;
        }),
        withinMs,
      );
      // A database that would not close may still write: its folder stays ours until the process ends.
      if (closed) await lock?.release();
    },
  };
}

async function lockDataFolder(dataDir: string): Promise<FolderLock> {
  try {
    mkdirSync(dataDir, { recursive: true });
  } catch (cause) {
    throw unusable(dataDir, cause);
  }
  return lockFolder(dataDir);
}

async function start(dataDir: string | undefined, template: Blob | undefined): Promise<PGlite> {
  if (dataDir !== undefined) requireSpace(dataDir);
  const folder = dataDir === undefined ? undefined : join(dataDir, 'db');
  const isNew = folder === undefined || !existsSync(join(folder, 'PG_VERSION'));
  try {
    return await PGlite.create({
      ...(folder === undefined ? {} : { dataDir: folder }),
      ...(template === undefined || !isNew ? {} : { loadDataDir: template }),
    });
  } catch (cause) {
    throw unusable(dataDir ?? 'memory', cause);
  }
}

function unusable(dataDir: string, cause: unknown): DatabaseError {
  const got = cause instanceof Error ? cause.message : String(cause);
  return new DatabaseError(
    'data_folder_unusable',
    `Expected a data folder that can be written at ${dataDir}. Got: ${got}. Check its owner and the free space, or choose another with VIGIL_DATA_DIR.`,
    cause,
  );
}
