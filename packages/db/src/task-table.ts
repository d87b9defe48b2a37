import { asc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from './connection.ts';
import type { NewTask, TaskPatch, TaskRepository } from './repositories.ts';
import type { TaskRow } from './rows.ts';
import { taskDependencies, tasks } from './schema.ts';

const columns = {
  id: tasks.id,
  title: tasks.title,
  description: tasks.description,
  state: tasks.state,
  position: tasks.position,
  parentId: tasks.parentId,
  // Named in full: in a select of one table drizzle drops the table's name, and the inner query would capture `id`.
  dependsOn: sql<string[]>`(select coalesce(json_agg(d.depends_on_id order by d.depends_on_id), '[]')
    from task_dependencies d where d.task_id = "tasks"."id")`,
  archivedAt: tasks.archivedAt,
  createdAt: tasks.createdAt,
  updatedAt: tasks.updatedAt,
};

/** Tasks that match, ordered by position. */
export function selectTasks(db: Db, where: SQL | undefined): Promise<TaskRow[]> {
  return db.select(columns).from(tasks).where(where).orderBy(asc(tasks.position), asc(tasks.createdAt), asc(tasks.id));
}

export const isOnBoard: SQL = isNull(tasks.archivedAt);

const atTheEnd = sql<number>`(select coalesce(max(position), 0) + 1 from tasks)`;

/** The tasks and what they depend on. */
export class TaskTable implements TaskRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  create(task: NewTask): Promise<TaskRow> {
    const { dependsOn = [], ...row } = task;
    const createdAt = row.createdAt ?? new Date().toISOString();
    return this.#db.transaction(async (tx) => {
      await tx
        .insert(tasks)
        .values({ ...row, position: row.position ?? atTheEnd, createdAt, updatedAt: row.updatedAt ?? createdAt });
      await addDependencies(tx, task.id, dependsOn);
      const created = await find(tx, task.id);
      if (created === null) throw new Error(`Expected task ${task.id} right after it was made; it is not there.`);
      return created;
    });
  }

  get(id: string): Promise<TaskRow | null> {
    return find(this.#db, id);
  }

  list(filter: { readonly archived?: boolean | undefined } = {}): Promise<TaskRow[]> {
    return selectTasks(this.#db, filter.archived ? isNotNull(tasks.archivedAt) : isOnBoard);
  }

  update(id: string, patch: TaskPatch): Promise<TaskRow | null> {
    const { dependsOn, ...row } = patch;
    const updatedAt = row.updatedAt ?? new Date().toISOString();
    return this.#db.transaction(async (tx) => {
      const updated = await tx
        .update(tasks)
        .set({ ...row, updatedAt })
        .where(eq(tasks.id, id))
        .returning({ id: tasks.id });
      if (updated.length === 0) return null;
      if (dependsOn !== undefined) {
        await tx.delete(taskDependencies).where(eq(taskDependencies.taskId, id));
        await addDependencies(tx, id, dependsOn);
      }
      return find(tx, id);
    });
  }

  async delete(id: string): Promise<boolean> {
    const deleted = await this.#db.delete(tasks).where(eq(tasks.id, id)).returning({ id: tasks.id });
    return deleted.length > 0;
  }
}

async function find(db: Db, id: string): Promise<TaskRow | null> {
  const [row] = await selectTasks(db, eq(tasks.id, id));
  return row ?? null;
}

async function addDependencies(db: Db, taskId: string, dependsOn: readonly string[]): Promise<void> {
  if (dependsOn.length === 0) return;
  await db.insert(taskDependencies).values([...new Set(dependsOn)].map((dependsOnId) => ({ taskId, dependsOnId })));
}
