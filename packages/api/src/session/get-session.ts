import { z } from 'zod';
import { id } from '../fields.ts';
import { procedure } from '../trpc.ts';

export const getSessionInput = z.strictObject({ sessionId: id });

/** Boot payload of one session: `session.watch` goes on from its revision. */
export const getSession = procedure
  .input(getSessionInput)
  .query(({ ctx, input }) => ctx.vigil.getSession(input.sessionId));
