import { z } from 'zod';
import { dependsOn, description, id, title } from '../fields.ts';
import { procedure } from '../trpc.ts';

export const updateTaskInput = z.strictObject({
  taskId: id,
  title: title.optional(),
  description: description.optional(),
  parentId: id.nullish(),
  dependsOn: dependsOn.optional(),
});

/** Changes what is given and leaves the rest. */
export const updateTask = procedure.input(updateTaskInput).mutation(({ ctx, input }) => ctx.vigil.updateTask(input));
