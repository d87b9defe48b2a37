import { eq } from 'drizzle-orm';
import type { Db } from './connection.ts';
import type { FeatureRepository } from './repositories.ts';
import { featureOverrides } from './schema.ts';

/** Overrides of feature toggles by key. */
export class FeatureTable implements FeatureRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async overrides(): Promise<Record<string, boolean>> {
    const rows = await this.#db.select().from(featureOverrides);
    return Object.fromEntries(rows.map((row) => [row.key, row.value]));
  }

  async set(key: string, value: boolean): Promise<void> {
    await this.#db
      .insert(featureOverrides)
      .values({ key, value })
      .onConflictDoUpdate({ target: featureOverrides.key, set: { value } });
  }

  async remove(key: string): Promise<void> {
    await this.#db.delete(featureOverrides).where(eq(featureOverrides.key, key));
  }
}
