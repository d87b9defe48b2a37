import { z } from 'zod';
import { id } from '../fields.ts';
import { procedure } from '../trpc.ts';

export const sendNowInput = z.strictObject({
  sessionId: id,
  messageId: id,
  /** The turn that was seen at work: no other one is cancelled for it. */
  generation: z.int().positive().optional(),
});

/** Sends a prompt at once, or in the place of the turn at work (S82). */
export const sendNow = procedure.input(sendNowInput).mutation(({ ctx, input }) => ctx.vigil.sendNow(input));
