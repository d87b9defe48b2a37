import type { TaskEntry } from './entries.ts';

/** Durable fields of a task. */
export type TaskFacets = Omit<TaskEntry, 'sessionIds' | 'permissions' | 'clarifications' | 'queued' | 'shown'>;

/** The durable part of an entry. */
export function facetsOf(entry: TaskEntry): TaskFacets {
  const { id, title, description, state, position, parentId, dependsOn, archivedAt, createdAt, updatedAt } = entry;
  return { id, title, description, state, position, parentId, dependsOn, archivedAt, createdAt, updatedAt };
}
