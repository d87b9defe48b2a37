import type { SessionEntry, TaskEntry } from './entries.ts';
import type { Runtime } from './runtime.ts';
import type { TaskState } from './types.ts';

/** Work began: a prompt of the task is dispatched. A task that was put to *done* stays there. */
export function moveToProgress(runtime: Runtime, taskId: string): void {
  const task = runtime.board.tasks.get(taskId);
  if (!runtime.settings.automaticMoves) return;
  if (task?.state === 'backlog' || task?.state === 'review') move(runtime, task, 'in_progress');
}

/** Work is over: all its sessions are settled, as the world sees them, and nothing of it is to come (S144). */
export function moveToReview(runtime: Runtime, taskId: string): void {
  const task = runtime.board.tasks.get(taskId);
  if (!runtime.settings.automaticMoves) return;
  if (task?.state !== 'in_progress' || task.sessionIds.size === 0) return;
  if (runtime.board.sessionsOf(task).every(isSettled)) move(runtime, task, 'review');
}

function isSettled(entry: SessionEntry): boolean {
  const { state, foregroundActivity, awaitingFollowUp, liveness } = entry.shown;
  if (state === 'starting' || state === 'running' || liveness === 'unknown') return false;
  if (foregroundActivity !== null || awaitingFollowUp) return false;
  const { queue } = entry;
  return queue.reserved === undefined && (queue.length === 0 || !queue.autoRun);
}

function move(runtime: Runtime, task: TaskEntry, state: TaskState): void {
  task.state = state;
  task.position = lastPosition(runtime, state, task) + 1;
  task.updatedAt = new Date(runtime.deps.now()).toISOString();
  runtime.records.taskChanged(task);
  runtime.board.touchTask(task);
}

/** The last place of a column; 0 when it is empty. */
export function lastPosition(runtime: Runtime, state: TaskState, except?: TaskEntry): number {
  let last = 0;
  for (const task of runtime.board.tasks.values()) {
    if (task !== except && task.state === state && task.archivedAt === null) last = Math.max(last, task.position);
  }
  return last;
}
