import { z } from 'zod';
import { id } from '../fields.ts';
import { procedure } from '../trpc.ts';

export const archiveTaskInput = z.strictObject({ taskId: id });

/** Ends the task's executions and takes it off the board (W4). */
export const archiveTask = procedure
  .input(archiveTaskInput)
  .mutation(({ ctx, input }) => ctx.vigil.archiveTask(input.taskId));
