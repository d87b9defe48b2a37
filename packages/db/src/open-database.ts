import { sql } from 'drizzle-orm';
import { loadBoard } from './board.ts';
import type { Connection } from './connection.ts';
import type { Database, OpenOptions } from './database.ts';
import { connectEmbedded } from './embedded-connection.ts';
import { ExecutionTable } from './execution-table.ts';
import { FeatureTable } from './feature-table.ts';
import { Gate } from './gate.ts';
import { MessageTable } from './message-table.ts';
import { connectPostgres } from './postgres-connection.ts';
import { PromptTable } from './prompt-table.ts';
import { RequestTable } from './request-table.ts';
import { SessionTable } from './session-table.ts';
import { SettingTable } from './setting-table.ts';
import { TaskTable } from './task-table.ts';
import { UserTable } from './user-table.ts';

const PING_WITHIN_MS = 5_000;
const CLOSE_WITHIN_MS = 5_000;
/** A migration may rewrite a large table. */
const MIGRATE_WITHIN_MS = 600_000;

/**
 * Opens a Postgres server (`url`), the embedded database in a folder (`dataDir`), or one in memory. Fails with
 * `database_unreachable`, `database_in_use`, `data_folder_locked` or `data_folder_unusable`. Migrates nothing by itself.
 */
export async function openDatabase(options: OpenOptions = {}): Promise<Database> {
  if (options.url === undefined) return compose(await connectEmbedded(options));
  return compose(await connectPostgres(options.url, options));
}

function compose(connection: Connection): Database {
  const { db } = connection;
  const gate = new Gate(() => connection.usable());
  return {
    kind: connection.kind,
    tasks: gate.guard(new TaskTable(db)),
    sessions: gate.guard(new SessionTable(db)),
    executions: gate.guard(new ExecutionTable(db)),
    prompts: gate.guard(new PromptTable(db)),
    messages: gate.guard(new MessageTable(db)),
    requests: gate.guard(new RequestTable(db)),
    settings: gate.guard(new SettingTable(db)),
    features: gate.guard(new FeatureTable(db)),
    users: gate.guard(new UserTable(db)),
    loadBoard: () => gate.run(() => loadBoard(db)),
    migrate: () => gate.run(() => connection.migrate(), MIGRATE_WITHIN_MS),
    async ping() {
      await gate.run(() => db.execute(sql`select 1`), PING_WITHIN_MS);
    },
    async close(withinMs = CLOSE_WITHIN_MS) {
      if (await gate.close(withinMs)) await connection.close(withinMs);
    },
  };
}
