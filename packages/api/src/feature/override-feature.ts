import { z } from 'zod';
import { id } from '../fields.ts';
import { procedure } from '../trpc.ts';

export const overrideFeatureInput = z.strictObject({ key: id, on: z.boolean().nullable() });

/** Stores an override, or takes it back with null; it applies after a restart (S76). */
export const overrideFeature = procedure
  .input(overrideFeatureInput)
  .mutation(({ ctx, input }) => ctx.vigil.overrideFeature(input));
