import { z } from 'zod';
import { id, taskState } from '../fields.ts';
import { procedure } from '../trpc.ts';

export const moveTaskInput = z.strictObject({ taskId: id, state: taskState, position: z.number() });

/** Puts a task into a column, at a position. */
export const moveTask = procedure.input(moveTaskInput).mutation(({ ctx, input }) => ctx.vigil.moveTask(input));
