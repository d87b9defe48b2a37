import type { Board } from './board.ts';
import { VigilError } from './errors.ts';

/** Refuses a parent or dependencies that do not exist, or that would close a circle. */
export function checkLinks(
  board: Board,
  task: { readonly id: string | null; readonly parentId: string | null; readonly dependsOn: readonly string[] },
): void {
  for (const id of [...(task.parentId === null ? [] : [task.parentId]), ...task.dependsOn]) {
    if (!board.tasks.has(id))
      throw new VigilError('bad_input', `There is no task ${id} to link to. Choose one that exists.`);
  }
  const { id } = task;
  if (id === null) return;
  const parentOf = (at: string) => [board.tasks.get(at)?.parentId ?? []].flat();
  if (reaches(id, task.parentId === null ? [] : [task.parentId], parentOf)) throw circle('parent', id);
  const neededBy = (at: string) => board.tasks.get(at)?.dependsOn ?? [];
  if (reaches(id, task.dependsOn, neededBy)) throw circle('dependencies', id);
}

/** True when the goal is among the starts or can be reached from them. */
function reaches(goal: string, starts: readonly string[], next: (id: string) => readonly string[]): boolean {
  const seen = new Set<string>();
  const open = [...starts];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at === goal) return true;
    if (seen.has(at)) continue;
    seen.add(at);
    open.push(...next(at));
  }
  return false;
}

function circle(what: string, id: string): VigilError {
  const message = `These ${what} would make task ${id} stand above or wait for itself. Remove the link that closes the circle.`;
  return new VigilError('conflict', message, { reason: 'cycle' });
}
