import { z } from 'zod';
import { id } from '../fields.ts';
import { procedure } from '../trpc.ts';

export const removeQueuedInput = z.strictObject({ sessionId: id, messageId: id });

/** Takes one prompt out of the queue, unless it is already on its way (S82). */
export const removeQueued = procedure
  .input(removeQueuedInput)
  .mutation(({ ctx, input }) => ctx.vigil.removeQueued(input));
