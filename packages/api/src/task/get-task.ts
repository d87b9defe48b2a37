import { z } from 'zod';
import { id } from '../fields.ts';
import { procedure } from '../trpc.ts';

export const getTaskInput = z.strictObject({ taskId: id });

/** One task with its sessions. */
export const getTask = procedure.input(getTaskInput).query(({ ctx, input }) => ctx.vigil.getTask(input.taskId));
