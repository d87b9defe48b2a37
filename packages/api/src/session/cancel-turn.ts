import { z } from 'zod';
import { generation, id } from '../fields.ts';
import { procedure } from '../trpc.ts';

export const cancelTurnInput = z.strictObject({
  sessionId: id,
  /** Cancels only the turn of this prompt generation. */
  generation: generation.optional(),
});

/** Cancels the turn at work; the session stays (S131). */
export const cancelTurn = procedure.input(cancelTurnInput).mutation(({ ctx, input }) => ctx.vigil.cancel(input));
