import { router } from '../trpc.ts';
import { archiveTask } from './archive-task.ts';
import { createTask } from './create-task.ts';
import { deleteTask } from './delete-task.ts';
import { getTask } from './get-task.ts';
import { listTasks } from './list-tasks.ts';
import { moveTask } from './move-task.ts';
import { unarchiveTask } from './unarchive-task.ts';
import { updateTask } from './update-task.ts';

export const taskRouter = router({
  list: listTasks,
  get: getTask,
  create: createTask,
  update: updateTask,
  move: moveTask,
  archive: archiveTask,
  unarchive: unarchiveTask,
  delete: deleteTask,
});
