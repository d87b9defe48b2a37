import { openAgent, readAgents } from '@vigil/acp';
import { type Database, openDatabase } from '@vigil/db';
import { createVigil, type Vigil } from '@vigil/runtime';
import { AgentCatalog, builtIns } from './agent-catalog.ts';
import type { Config } from './config.ts';
import type { Logger } from './logger.ts';
import { VERSION } from './version.ts';

/** What a server serves, and how it ends. */
export interface Composition {
  readonly vigil: Vigil;
  /** Ends every agent within a deadline, writes what is left to write, closes the database. Idempotent. */
  close(): Promise<void>;
}

export type Compose = (config: Config, log: Logger) => Promise<Composition>;

/** The composition root: the one place that knows every package. */
export const compose: Compose = async (config, log) => {
  const cwd = process.cwd();
  const agents = new AgentCatalog(await readAgents(config.agentsFile, builtIns(config.mockProvider)), cwd);
  const database = await openDatabase(
    config.databaseUrl === null ? { dataDir: config.dataDir } : { url: config.databaseUrl },
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
    return { vigil, close: () => closeInOrder(vigil, database) };
  } catch (cause) {
    await database.close();
    throw cause;
  }
};

async function closeInOrder(vigil: { close(): Promise<void> }, database: Database): Promise<void> {
  try {
    await vigil.close();
  } finally {
    await database.close();
  }
}
