import { z } from 'zod';
import { dependsOn, description, id, title } from '../fields.ts';
import { procedure } from '../trpc.ts';

export const createTaskInput = z.strictObject({
  title,
  description: description.optional(),
  parentId: id.nullish(),
  dependsOn: dependsOn.optional(),
});

/** Adds a task to the backlog. */
export const createTask = procedure.input(createTaskInput).mutation(({ ctx, input }) => ctx.vigil.createTask(input));
