import { asc, desc, eq, inArray, type SQL } from 'drizzle-orm';
import type { Db } from './connection.ts';
import type { NewSession, SessionPatch, SessionRepository, Transition, TransitionAnswer } from './repositories.ts';
import { LIVE_SESSION_STATES, type SessionRow, type SessionState, type TransitionRow } from './rows.ts';
import { sessions, transitions } from './schema.ts';

/** Sessions that match, oldest first. */
export function selectSessions(db: Db, where: SQL | undefined): Promise<SessionRow[]> {
  return db.select().from(sessions).where(where).orderBy(asc(sessions.createdAt), asc(sessions.id));
}

const isLive = (state: SessionState): boolean => LIVE_SESSION_STATES.some((live) => live === state);

/** The sessions, and the audit of their coarse changes. */
export class SessionTable implements SessionRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async create(session: NewSession): Promise<SessionRow> {
    const createdAt = session.createdAt ?? new Date().toISOString();
    const row = { ...session, state: 'created', executionId: null, createdAt } as const;
    const [created] = await this.#db
      .insert(sessions)
      .values({ ...row, updatedAt: session.updatedAt ?? createdAt })
      .returning();
    if (created === undefined) throw new Error(`Expected session ${session.id} to be made; no row came back.`);
    return created;
  }

  async get(id: string): Promise<SessionRow | null> {
    const [row] = await selectSessions(this.#db, eq(sessions.id, id));
    return row ?? null;
  }

  list(filter: { readonly taskId?: string | undefined } = {}): Promise<SessionRow[]> {
    return selectSessions(this.#db, filter.taskId === undefined ? undefined : eq(sessions.taskId, filter.taskId));
  }

  async update(id: string, patch: SessionPatch): Promise<SessionRow | null> {
    const [row] = await this.#db
      .update(sessions)
      .set({ ...patch, updatedAt: patch.updatedAt ?? new Date().toISOString() })
      .where(eq(sessions.id, id))
      .returning();
    return row ?? null;
  }

  transition(id: string, change: Transition): Promise<TransitionAnswer> {
    const { to, cause, patch = {} } = change;
    const at = change.at ?? new Date().toISOString();
    return this.#db.transaction(async (tx) => {
      const [now] = await tx.select({ state: sessions.state }).from(sessions).where(eq(sessions.id, id)).for('update');
      if (now === undefined || !change.from.includes(now.state)) return { applied: false, state: now?.state ?? null };
      const execution = isLive(to) ? {} : { executionId: null };
      const [session] = await tx
        .update(sessions)
        .set({ updatedAt: at, ...patch, ...execution, state: to })
        .where(eq(sessions.id, id))
        .returning();
      if (session === undefined) return { applied: false, state: null };
      await tx.insert(transitions).values({ sessionId: id, from: now.state, to, cause, at });
      return { applied: true, session };
    });
  }

  interrupted(): Promise<SessionRow[]> {
    return selectSessions(this.#db, inArray(sessions.state, [...LIVE_SESSION_STATES]));
  }

  async transitions(id: string, limit = 100): Promise<TransitionRow[]> {
    return this.#db
      .select({
        sessionId: transitions.sessionId,
        from: transitions.from,
        to: transitions.to,
        cause: transitions.cause,
        at: transitions.at,
      })
      .from(transitions)
      .where(eq(transitions.sessionId, id))
      .orderBy(desc(transitions.id))
      .limit(limit);
  }

  async delete(id: string): Promise<boolean> {
    const deleted = await this.#db.delete(sessions).where(eq(sessions.id, id)).returning({ id: sessions.id });
    return deleted.length > 0;
  }
}
