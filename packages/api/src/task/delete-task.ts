import { z } from 'zod';
import { id } from '../fields.ts';
import { procedure } from '../trpc.ts';

export const deleteTaskInput = z.strictObject({ taskId: id });

/** Stops every session of the task, then deletes it; refuses with `stop_failed` and loses nothing (S114). */
export const deleteTask = procedure
  .input(deleteTaskInput)
  .mutation(({ ctx, input }) => ctx.vigil.deleteTask(input.taskId));
