import { z } from 'zod';
import { id } from '../fields.ts';
import { procedure } from '../trpc.ts';

export const listMessagesInput = z.strictObject({
  sessionId: id,
  /** Messages whose `seq` is below this; without it, the newest. */
  before: z.int().nonnegative().optional(),
  limit: z.int().min(1).max(1_000).optional(),
});

/** One page of a transcript, oldest first. */
export const listMessages = procedure.input(listMessagesInput).query(({ ctx, input }) => ctx.vigil.listMessages(input));
