import { z } from 'zod';
import { id } from '../fields.ts';
import { procedure } from '../trpc.ts';

export const stopAllInput = z.strictObject({ sessionId: id });

/** Ends everything that runs for the session and parks its backlog (S131). */
export const stopAll = procedure.input(stopAllInput).mutation(({ ctx, input }) => ctx.vigil.stopAll(input.sessionId));
