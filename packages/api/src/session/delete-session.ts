import { z } from 'zod';
import { id } from '../fields.ts';
import { procedure } from '../trpc.ts';

export const deleteSessionInput = z.strictObject({ sessionId: id });

/** Stops the session's agent, then deletes it; refuses with `stop_failed` and loses nothing (S114). */
export const deleteSession = procedure
  .input(deleteSessionInput)
  .mutation(({ ctx, input }) => ctx.vigil.deleteSession(input.sessionId));
