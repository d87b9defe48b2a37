import { openAgent, readAgents } from '@vigil/acp';
import { type Database, openDatabase } from '@vigil/db';
import { createVigil, type RunningVigil, type Vigil } from '@vigil/runtime';
import { AgentCatalog, builtIns } from './agent-catalog.ts';
import type { Config } from './config.ts';
import type { Logger } from './logger.ts';
import { VERSION } from './version.ts';

/** Kept for closing the database, in ms. */
const CLOSE_DATABASE_MS = 1_000;

/** What a server serves, and how it ends. */
export interface Composition {
  readonly vigil: Vigil;
  /**
   * Ends every agent, writes what is left to write, closes the database, all until the given time of
   * `performance.now()`. False when that came first. Idempotent.
   */
  close(by: number): Promise<boolean>;
}

/** `onLost` is told when the database is another server's now: nothing can be kept any more, the server has to stop. */
export type Compose = (config: Config, log: Logger, onLost: (cause: Error) => void) => Promise<Composition>;

/** The composition root: the one place that knows every package. */
export const compose: Compose = async (config, log, onLost) => {
  const cwd = process.cwd();
  const agents = new AgentCatalog(await readAgents(config.agentsFile, builtIns(config.mockProvider)), cwd);
  const database = await openDatabase(
    config.databaseUrl === null ? { dataDir: config.dataDir } : { url: config.databaseUrl, onTaken: onLost },
  );
  try {
    await database.migrate();
    const vigil = await createVigil({
      database,
      agents,
      openAgent,
      config: { ...config, defaultCwd: cwd },
      log,
      now: Date.now,
      version: VERSION,
    });
    return { vigil, close: (by) => closeInOrder({ vigil, database, by }) };
  } catch (cause) {
    await database.close();
    throw cause;
  }
};

async function closeInOrder(parts: { vigil: RunningVigil; database: Database; by: number }): Promise<boolean> {
  const { vigil, database, by } = parts;
  try {
    return await vigil.close(by - CLOSE_DATABASE_MS);
  } finally {
    // Twice: for the statements under way, and for the database itself.
    await database.close(Math.max(0, by - performance.now()) / 2);
  }
}
