import { z } from 'zod';
import { procedure } from '../trpc.ts';

export const listFeaturesInput = z.strictObject({}).optional();

/** Toggles, latched at start (S76). */
export const listFeatures = procedure.input(listFeaturesInput).query(({ ctx }) => ctx.vigil.listFeatures());
