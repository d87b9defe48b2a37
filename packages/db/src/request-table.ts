import { and, asc, eq, isNull, type SQL } from 'drizzle-orm';
import type { Db } from './connection.ts';
import type { NewPendingRequest, RequestAnswer, RequestRepository } from './repositories.ts';
import type { PendingRequestRow } from './rows.ts';
import { pendingRequests } from './schema.ts';

export const isUnresolved: SQL = isNull(pendingRequests.resolvedAt);

/** Requests that match, oldest first. */
export function selectRequests(db: Db, where: SQL | undefined): Promise<PendingRequestRow[]> {
  return db
    .select()
    .from(pendingRequests)
    .where(where)
    .orderBy(asc(pendingRequests.createdAt), asc(pendingRequests.id));
}

/** Permissions and clarifications, with their first outcome. */
export class RequestTable implements RequestRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async open(request: NewPendingRequest): Promise<PendingRequestRow> {
    const { options = [], createdAt = new Date().toISOString(), ...row } = request;
    const [opened] = await this.#db
      .insert(pendingRequests)
      .values({ ...row, options: [...options], createdAt })
      .onConflictDoNothing({ target: pendingRequests.id })
      .returning();
    const stored = opened ?? (await this.get(request.id));
    if (stored === null) throw new Error(`Expected request ${request.id} to be stored; its session was deleted.`);
    return stored;
  }

  async resolve(id: string, outcome: unknown, resolvedAt = new Date().toISOString()): Promise<RequestAnswer> {
    const [request] = await this.#resolve(eq(pendingRequests.id, id), outcome, resolvedAt);
    return request === undefined ? { applied: false, request: await this.get(id) } : { applied: true, request };
  }

  async get(id: string): Promise<PendingRequestRow | null> {
    const [row] = await selectRequests(this.#db, eq(pendingRequests.id, id));
    return row ?? null;
  }

  listOpen(filter: { readonly sessionId?: string | undefined } = {}): Promise<PendingRequestRow[]> {
    const { sessionId } = filter;
    const session = sessionId === undefined ? undefined : eq(pendingRequests.sessionId, sessionId);
    return selectRequests(this.#db, and(isUnresolved, session));
  }

  resolveOpen(filter: { readonly executionId?: string | undefined }, outcome: unknown): Promise<PendingRequestRow[]> {
    const { executionId } = filter;
    const execution = executionId === undefined ? undefined : eq(pendingRequests.executionId, executionId);
    return this.#resolve(execution, outcome, new Date().toISOString());
  }

  async #resolve(which: SQL | undefined, outcome: unknown, resolvedAt: string): Promise<PendingRequestRow[]> {
    return this.#db.update(pendingRequests).set({ outcome, resolvedAt }).where(and(isUnresolved, which)).returning();
  }
}
