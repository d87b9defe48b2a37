import { z } from 'zod';
import { procedure } from '../trpc.ts';

export const updateSettingsInput = z.strictObject({
  confirmArchive: z.boolean().optional(),
  automaticMoves: z.boolean().optional(),
});

/** Changes what is named and answers all settings; it never archives by itself (W4). */
export const updateSettings = procedure
  .input(updateSettingsInput)
  .mutation(({ ctx, input }) => ctx.vigil.updateSettings(input));
