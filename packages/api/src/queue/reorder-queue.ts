import { z } from 'zod';
import { id } from '../fields.ts';
import { procedure } from '../trpc.ts';

const MAX_ORDER = 10_000;

export const reorderQueueInput = z.strictObject({ sessionId: id, order: z.array(id).max(MAX_ORDER) });

/** Puts what waits in this order: all of it, each once; else `queue_changed` (S82). */
export const reorderQueue = procedure
  .input(reorderQueueInput)
  .mutation(({ ctx, input }) => ctx.vigil.reorderQueue(input));
