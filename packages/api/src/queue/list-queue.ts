import { z } from 'zod';
import { id } from '../fields.ts';
import { procedure } from '../trpc.ts';

export const listQueueInput = z.strictObject({ sessionId: id });

/** What waits in a session's queue, in the order in which it will run (S81). */
export const listQueue = procedure
  .input(listQueueInput)
  .query(({ ctx, input }) => ctx.vigil.listQueue(input.sessionId));
