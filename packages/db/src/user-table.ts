import { asc, eq } from 'drizzle-orm';
import type { Db } from './connection.ts';
import type { UserRepository } from './repositories.ts';
import type { TokenRow, UserRow } from './rows.ts';
import { tokens, users } from './schema.ts';

// Without the hash: nothing needs to read it back.
const tokenColumns = { id: tokens.id, userId: tokens.userId, label: tokens.label, createdAt: tokens.createdAt };

/** People and services that may use the server, and their tokens. */
export class UserTable implements UserRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async create(user: { readonly id: string; readonly name: string }): Promise<UserRow> {
    const row = { id: user.id, name: user.name, createdAt: new Date().toISOString() };
    await this.#db.insert(users).values(row);
    return row;
  }

  list(): Promise<UserRow[]> {
    return this.#db.select().from(users).orderBy(asc(users.createdAt), asc(users.id));
  }

  async delete(id: string): Promise<boolean> {
    const deleted = await this.#db.delete(users).where(eq(users.id, id)).returning({ id: users.id });
    return deleted.length > 0;
  }

  async addToken(token: { id: string; userId: string; label: string; hash: string }): Promise<TokenRow> {
    const { hash, ...rest } = token;
    const row = { ...rest, createdAt: new Date().toISOString() };
    await this.#db.insert(tokens).values({ ...row, hash });
    return row;
  }

  listTokens(userId: string): Promise<TokenRow[]> {
    return this.#db
      .select(tokenColumns)
      .from(tokens)
      .where(eq(tokens.userId, userId))
      .orderBy(asc(tokens.createdAt), asc(tokens.id));
  }

  async findByTokenHash(hash: string): Promise<UserRow | null> {
    const [row] = await this.#db
      .select({ id: users.id, name: users.name, createdAt: users.createdAt })
      .from(tokens)
      .innerJoin(users, eq(users.id, tokens.userId))
      .where(eq(tokens.hash, hash));
    return row ?? null;
  }

  async removeToken(id: string): Promise<boolean> {
    const deleted = await this.#db.delete(tokens).where(eq(tokens.id, id)).returning({ id: tokens.id });
    return deleted.length > 0;
  }
}
