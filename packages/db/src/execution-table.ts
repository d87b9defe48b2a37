import { and, asc, eq, isNull, type SQL } from 'drizzle-orm';
import type { Db } from './connection.ts';
import type { ExecutionRepository, NewExecution } from './repositories.ts';
import type { ExecutionRow } from './rows.ts';
import { executions } from './schema.ts';

/** The executions, with their first recorded end. */
export class ExecutionTable implements ExecutionRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async start(execution: NewExecution): Promise<ExecutionRow> {
    const [started] = await this.#db
      .insert(executions)
      .values({ ...execution, startedAt: execution.startedAt ?? new Date().toISOString() })
      .onConflictDoNothing({ target: executions.id })
      .returning();
    const row = started ?? (await this.get(execution.id));
    if (row === null) throw new Error(`Expected execution ${execution.id} to be stored; its session was deleted.`);
    return row;
  }

  async identify(
    id: string,
    process: { readonly pid: number; readonly processStartTime: string | null },
  ): Promise<ExecutionRow | null> {
    const { pid, processStartTime } = process;
    const [row] = await this.#db
      .update(executions)
      .set({ pid, processStartTime })
      .where(eq(executions.id, id))
      .returning();
    return row ?? null;
  }

  async end(
    id: string,
    end: { readonly cause: string; readonly detail?: string | null | undefined; readonly endedAt?: string | undefined },
  ): Promise<ExecutionRow | null> {
    const { cause, detail = null, endedAt = new Date().toISOString() } = end;
    const [row] = await this.#db
      .update(executions)
      .set({ cause, causeDetail: detail, endedAt })
      .where(and(eq(executions.id, id), isNull(executions.endedAt)))
      .returning();
    return row ?? this.get(id);
  }

  async get(id: string): Promise<ExecutionRow | null> {
    const [row] = await this.#select(eq(executions.id, id));
    return row ?? null;
  }

  list(sessionId: string): Promise<ExecutionRow[]> {
    return this.#select(eq(executions.sessionId, sessionId));
  }

  open(): Promise<ExecutionRow[]> {
    return this.#select(isNull(executions.endedAt));
  }

  #select(where: SQL): Promise<ExecutionRow[]> {
    return this.#db.select().from(executions).where(where).orderBy(asc(executions.startedAt), asc(executions.id));
  }
}
