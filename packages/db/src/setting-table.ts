import { eq } from 'drizzle-orm';
import type { Db } from './connection.ts';
import type { SettingsRepository } from './repositories.ts';
import { settings } from './schema.ts';

/** Settings by key. */
export class SettingTable implements SettingsRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async all(): Promise<Record<string, unknown>> {
    const rows = await this.#db.select().from(settings);
    return Object.fromEntries(rows.map((row) => [row.key, row.value]));
  }

  async get(key: string): Promise<unknown> {
    const [row] = await this.#db.select().from(settings).where(eq(settings.key, key));
    return row?.value;
  }

  async set(key: string, value: unknown): Promise<void> {
    await this.#db.insert(settings).values({ key, value }).onConflictDoUpdate({ target: settings.key, set: { value } });
  }

  async remove(key: string): Promise<void> {
    await this.#db.delete(settings).where(eq(settings.key, key));
  }
}
