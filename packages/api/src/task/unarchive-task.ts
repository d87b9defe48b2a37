import { z } from 'zod';
import { id } from '../fields.ts';
import { procedure } from '../trpc.ts';

export const unarchiveTaskInput = z.strictObject({ taskId: id });

/** Puts an archived task back on the board. */
export const unarchiveTask = procedure
  .input(unarchiveTaskInput)
  .mutation(({ ctx, input }) => ctx.vigil.unarchiveTask(input.taskId));
