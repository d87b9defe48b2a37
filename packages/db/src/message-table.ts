import { and, asc, desc, eq, inArray, lt, max, sql } from 'drizzle-orm';
import type { Db } from './connection.ts';
import type { MessagePage, MessageRepository } from './repositories.ts';
import type { MessageRow } from './rows.ts';
import { messages, sessions } from './schema.ts';

/** Rows of one statement: short enough not to hold up the process that the embedded database runs in. */
const CHUNK = 200;
const DEFAULT_PAGE = 100;
const LARGEST_PAGE = 1_000;

/** The transcripts of all sessions. */
export class MessageTable implements MessageRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async write(batch: readonly MessageRow[]): Promise<{ written: number; dropped: number }> {
    // One statement may touch a row only once.
    const newest = [...new Map(batch.map((row) => [JSON.stringify([row.sessionId, row.id]), row])).values()];
    let written = 0;
    for (let start = 0; start < newest.length; start += CHUNK) {
      written += await this.#upsert(newest.slice(start, start + CHUNK));
    }
    return { written, dropped: newest.length - written };
  }

  async page(
    sessionId: string,
    page: { readonly before?: number | undefined; readonly limit?: number | undefined } = {},
  ): Promise<MessagePage> {
    const limit = Math.min(Math.max(page.limit ?? DEFAULT_PAGE, 1), LARGEST_PAGE);
    const rows = await this.#db
      .select()
      .from(messages)
      .where(
        and(eq(messages.sessionId, sessionId), page.before === undefined ? undefined : lt(messages.seq, page.before)),
      )
      .orderBy(desc(messages.seq), desc(messages.id))
      .limit(limit + 1);
    const shown = rows.slice(0, limit).reverse();
    return { messages: shown, nextBefore: rows.length > limit ? (shown[0]?.seq ?? null) : null };
  }

  async lastSeq(sessionId: string): Promise<number> {
    const [row] = await this.#db
      .select({ last: max(messages.seq) })
      .from(messages)
      .where(eq(messages.sessionId, sessionId));
    return row?.last ?? 0;
  }

  #upsert(rows: MessageRow[]): Promise<number> {
    return this.#db.transaction(async (tx) => {
      const wanted = [...new Set(rows.map((row) => row.sessionId))];
      // Held, so that a deletion at the same time waits and takes the messages with it.
      const present = await tx
        .select({ id: sessions.id })
        .from(sessions)
        .where(inArray(sessions.id, wanted))
        .orderBy(asc(sessions.id))
        .for('key share');
      const known = new Set(present.map((session) => session.id));
      const kept = rows.filter((row) => known.has(row.sessionId));
      if (kept.length === 0) return 0;
      await tx
        .insert(messages)
        .values(kept)
        .onConflictDoUpdate({
          target: [messages.sessionId, messages.id],
          set: {
            seq: sql`excluded.seq`,
            kind: sql`excluded.kind`,
            role: sql`excluded.role`,
            payload: sql`excluded.payload`,
          },
        });
      return kept.length;
    });
  }
}
