import { DatabaseError, type NewTask, type TaskPatch, type TaskRepository, type TaskRow } from '@vigil/db';
import { by, patched, type Store } from './store.ts';

const inPlace = by<TaskRow>(
  (row) => row.position,
  (row) => row.createdAt,
  (row) => row.id,
);

/** Tasks in their order; those of the board, or those that are archived. */
export function listTasks(store: Store, archived: boolean): TaskRow[] {
  return [...store.tasks.values()].filter((row) => (row.archivedAt !== null) === archived).sort(inPlace);
}

function linked(store: Store, id: string, dependsOn: readonly string[]): string[] {
  // A check comes before any foreign key.
  if (dependsOn.includes(id)) throw new DatabaseError('invariant_broken', 'a task does not depend on itself');
  for (const other of dependsOn) store.mustHaveTask(other);
  return [...new Set(dependsOn)].sort();
}

function create(store: Store, task: NewTask): TaskRow {
  store.mustBeNew(store.tasks, task.id);
  if (task.parentId !== task.id) store.mustHaveTask(task.parentId ?? null);
  const createdAt = task.createdAt ?? store.now();
  const last = [...store.tasks.values()].reduce((most, row) => Math.max(most, row.position), 0);
  const row: TaskRow = {
    ...{ id: task.id, title: task.title, description: task.description ?? '', state: task.state ?? 'backlog' },
    ...{ position: task.position ?? last + 1, parentId: task.parentId ?? null },
    ...{ dependsOn: linked(store, task.id, task.dependsOn ?? []), archivedAt: task.archivedAt ?? null },
    ...{ createdAt, updatedAt: task.updatedAt ?? createdAt },
  };
  store.tasks.set(row.id, row);
  return row;
}

function update(store: Store, id: string, patch: TaskPatch): TaskRow | null {
  const row = store.tasks.get(id);
  if (row === undefined) return null;
  store.mustHaveTask(patch.parentId ?? null);
  const dependsOn = patch.dependsOn === undefined ? row.dependsOn : linked(store, id, patch.dependsOn);
  const updated = { ...patched({ ...row, updatedAt: store.now() }, patch), dependsOn };
  store.tasks.set(id, updated);
  return updated;
}

/** Sessions go with it; children and those that depend on it stay, without it. */
function remove(store: Store, id: string): boolean {
  if (!store.tasks.delete(id)) return false;
  for (const session of [...store.sessions.values()]) if (session.taskId === id) store.dropSession(session.id);
  for (const row of [...store.tasks.values()]) {
    const parentId = row.parentId === id ? null : row.parentId;
    store.tasks.set(row.id, { ...row, parentId, dependsOn: row.dependsOn.filter((other) => other !== id) });
  }
  return true;
}

export function fakeTasks(store: Store): TaskRepository {
  return {
    create: async (task) => create(store, task),
    get: async (id) => store.tasks.get(id) ?? null,
    list: async (filter = {}) => listTasks(store, filter.archived ?? false),
    update: async (id, patch) => update(store, id, patch),
    delete: async (id) => remove(store, id),
  };
}
