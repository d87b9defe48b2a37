import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import type { Db } from './connection.ts';
import type { NewPrompt, PromptAnswer, PromptRepository, ReorderAnswer } from './repositories.ts';
import type { PromptOutcome, PromptRow, PromptStatus } from './rows.ts';
import { prompts, sessions } from './schema.ts';

const OPEN: PromptStatus[] = ['queued', 'reserved'];

export const isOpen: SQL = inArray(prompts.status, OPEN);

/** Human before wake-up, then by place (S81). */
const queueOrder = [
  sql`case ${prompts.origin} when 'human' then 0 else 1 end`,
  asc(prompts.position),
  asc(prompts.createdAt),
  asc(prompts.id),
];

/** Prompts that match, in the order of their queues. */
export function selectPrompts(db: Db, where: SQL | undefined): Promise<PromptRow[]> {
  return db
    .select()
    .from(prompts)
    .where(where)
    .orderBy(asc(prompts.sessionId), ...queueOrder);
}

const queuedIn = (sessionId: string): SQL | undefined =>
  and(eq(prompts.sessionId, sessionId), eq(prompts.status, 'queued'));

/** The place before everything that is queued beside the prompt, or its own if that is before. */
const headPlace = sql<number>`least("prompts"."position", (select min(q.position) - 1 from prompts q
  where q.session_id = "prompts"."session_id" and q.origin = "prompts"."origin" and q.status = 'queued'))`;

type Change = PgUpdateSetSource<typeof prompts>;

/** The queues of all sessions, and the outcome of every client key. */
export class PromptTable implements PromptRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async enqueue(prompt: NewPrompt): Promise<{ prompt: PromptRow; isNew: boolean }> {
    const atTheEnd = sql<number>`(select coalesce(max(position), 0) + 1 from prompts
      where session_id = ${prompt.sessionId} and origin = ${prompt.origin})`;
    const createdAt = prompt.createdAt ?? new Date().toISOString();
    const [added] = await this.#db
      .insert(prompts)
      .values({ ...prompt, position: prompt.position ?? atTheEnd, createdAt })
      .onConflictDoNothing({ target: [prompts.sessionId, prompts.clientKey] })
      .returning();
    if (added !== undefined) return { prompt: added, isNew: true };
    const known = await this.findByKey(prompt.sessionId, prompt.clientKey);
    if (known === null) throw new Error(`Expected the prompt of key ${prompt.clientKey}; its session was deleted.`);
    return { prompt: known, isNew: false };
  }

  async get(id: string): Promise<PromptRow | null> {
    const [row] = await selectPrompts(this.#db, eq(prompts.id, id));
    return row ?? null;
  }

  async findByKey(sessionId: string, clientKey: string): Promise<PromptRow | null> {
    const key = and(eq(prompts.sessionId, sessionId), eq(prompts.clientKey, clientKey));
    const [row] = await selectPrompts(this.#db, key);
    return row ?? null;
  }

  list(sessionId: string): Promise<PromptRow[]> {
    return selectPrompts(this.#db, queuedIn(sessionId));
  }

  async countQueued(): Promise<Map<string, number>> {
    const rows = await this.#db
      .select({ sessionId: prompts.sessionId, count: sql<number>`count(*)::int` })
      .from(prompts)
      .where(eq(prompts.status, 'queued'))
      .groupBy(prompts.sessionId);
    return new Map(rows.map((row) => [row.sessionId, row.count]));
  }

  async reserveHead(sessionId: string): Promise<PromptRow | null> {
    // Skipping what another reserves right now, because waiting for it would find the head gone and nothing behind it.
    const head = this.#db
      .select({ id: prompts.id })
      .from(prompts)
      .where(queuedIn(sessionId))
      .orderBy(...queueOrder)
      .limit(1)
      .for('update', { skipLocked: true });
    const [row] = await this.#db
      .update(prompts)
      .set({ status: 'reserved' })
      .where(eq(prompts.id, sql`(${head})`))
      .returning();
    return row ?? null;
  }

  reserve(id: string, reason: string | null = null): Promise<PromptAnswer> {
    return this.#change(id, ['queued'], { status: 'reserved', reason });
  }

  note(id: string, reason: string): Promise<PromptAnswer> {
    return this.#change(id, ['reserved'], { reason });
  }

  restore(
    id: string,
    back: { place: 'own' | 'head'; reason?: string | null | undefined; error?: string | null | undefined },
  ): Promise<PromptAnswer> {
    const place = back.place === 'head' ? { position: headPlace } : {};
    return this.#change(id, ['reserved'], { status: 'queued', reason: back.reason, error: back.error, ...place });
  }

  async restoreReserved(parking: string | null = null): Promise<PromptRow[]> {
    const isReserved = eq(prompts.status, 'reserved');
    return this.#db.transaction(async (tx) => {
      if (parking !== null) {
        const parked = tx
          .select({ id: prompts.sessionId })
          .from(prompts)
          .where(and(isReserved, eq(prompts.reason, parking)));
        await tx.update(sessions).set({ autoRun: false }).where(inArray(sessions.id, parked));
      }
      return tx.update(prompts).set({ status: 'queued', position: headPlace }).where(isReserved).returning();
    });
  }

  settle(
    id: string,
    outcome: {
      as: PromptOutcome;
      reason?: string | null | undefined;
      error?: string | null | undefined;
      settledAt?: string | undefined;
    },
  ): Promise<PromptAnswer> {
    const { as, reason, error, settledAt = new Date().toISOString() } = outcome;
    return this.#change(id, OPEN, { status: as, reason, error, settledAt });
  }

  async withdraw(id: string): Promise<boolean> {
    const gone = await this.#db
      .delete(prompts)
      .where(and(eq(prompts.id, id), isOpen))
      .returning({ id: prompts.id });
    return gone.length > 0;
  }

  edit(id: string, text: string): Promise<PromptAnswer> {
    return this.#change(id, ['queued'], { text });
  }

  remove(id: string): Promise<PromptAnswer> {
    return this.#change(id, ['queued'], dropped('removed'));
  }

  clear(sessionId: string): Promise<PromptRow[]> {
    return this.#db.transaction(async (tx) => {
      const queued = await lockQueue(tx, sessionId);
      if (queued.length === 0) return [];
      const ids = queued.map((prompt) => prompt.id);
      await tx.update(prompts).set(dropped('cleared')).where(inArray(prompts.id, ids));
      return selectPrompts(tx, inArray(prompts.id, ids));
    });
  }

  reorder(sessionId: string, order: readonly string[]): Promise<ReorderAnswer> {
    return this.#db.transaction(async (tx) => {
      const queued = await lockQueue(tx, sessionId);
      if (!isSameSet(queued, order)) return { applied: false, reason: 'queue_changed', prompts: queued };
      const places = JSON.stringify(permute(queued, order));
      await tx.execute(sql`update prompts set position = place.position
        from json_to_recordset(${places}::json) as place(id text, position float8) where prompts.id = place.id`);
      return { applied: true, prompts: await selectPrompts(tx, queuedIn(sessionId)) };
    });
  }

  async #change(id: string, from: PromptStatus[], change: Change): Promise<PromptAnswer> {
    const [prompt] = await this.#db
      .update(prompts)
      .set(change)
      .where(and(eq(prompts.id, id), inArray(prompts.status, from)))
      .returning();
    return prompt === undefined ? { applied: false, prompt: await this.get(id) } : { applied: true, prompt };
  }
}

const dropped = (reason: string) => ({ status: 'dropped', reason, settledAt: new Date().toISOString() }) as const;

function lockQueue(db: Db, sessionId: string): Promise<PromptRow[]> {
  return db
    .select()
    .from(prompts)
    .where(queuedIn(sessionId))
    .orderBy(...queueOrder)
    .for('update');
}

function isSameSet(queued: readonly PromptRow[], order: readonly string[]): boolean {
  const wanted = new Set(order);
  return wanted.size === order.length && wanted.size === queued.length && queued.every((one) => wanted.has(one.id));
}

/** The prompts trade places among themselves, per origin, so that a reserved one between them keeps its own. */
function permute(queued: readonly PromptRow[], order: readonly string[]): { id: string; position: number }[] {
  const rank = new Map(order.map((id, index) => [id, index]));
  const rankOf = (prompt: PromptRow): number => rank.get(prompt.id) ?? 0;
  return (['human', 'wakeup'] as const).flatMap((origin) => {
    const present = queued.filter((prompt) => prompt.origin === origin);
    const wanted = [...present].sort((a, b) => rankOf(a) - rankOf(b));
    let last = Number.NEGATIVE_INFINITY;
    return present.map(({ position }, index) => {
      last = position > last ? position : last + 1;
      return { id: wanted[index]?.id ?? '', position: last };
    });
  });
}
