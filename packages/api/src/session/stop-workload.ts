import { z } from 'zod';
import { id } from '../fields.ts';
import { procedure } from '../trpc.ts';

export const stopWorkloadInput = z.strictObject({ sessionId: id, workloadId: id });

/** Stops one item of background work, where the provider can (S131). */
export const stopWorkload = procedure
  .input(stopWorkloadInput)
  .mutation(({ ctx, input }) => ctx.vigil.stopWorkload(input));
