import { z } from 'zod';
import { procedure } from '../trpc.ts';

export const listTasksInput = z.strictObject({ archived: z.boolean().optional() }).optional();

/** Tasks with the revision from which `activity.watch` goes on without a gap. */
export const listTasks = procedure.input(listTasksInput).query(({ ctx, input }) => ctx.vigil.listTasks(input ?? {}));
