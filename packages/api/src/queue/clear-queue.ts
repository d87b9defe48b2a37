import { z } from 'zod';
import { id } from '../fields.ts';
import { procedure } from '../trpc.ts';

export const clearQueueInput = z.strictObject({ sessionId: id });

/** Takes everything out of the queue that is not on its way (S82). */
export const clearQueue = procedure
  .input(clearQueueInput)
  .mutation(({ ctx, input }) => ctx.vigil.clearQueue(input.sessionId));
