import { z } from 'zod';
import { id } from '../fields.ts';
import { procedure } from '../trpc.ts';

export const setAutoRunInput = z.strictObject({ sessionId: id, on: z.boolean() });

/** Says whether the queue drains by itself (S82). */
export const setAutoRun = procedure.input(setAutoRunInput).mutation(({ ctx, input }) => ctx.vigil.setAutoRun(input));
