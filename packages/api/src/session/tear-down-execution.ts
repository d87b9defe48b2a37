import { z } from 'zod';
import { id } from '../fields.ts';
import { procedure } from '../trpc.ts';

export const tearDownExecutionInput = z.strictObject({
  sessionId: id,
  executionId: id,
  cause: z.enum(['stopped', 'completed', 'cancelled', 'failed']).optional(),
});

/** Ends exactly this execution, never a successor; idempotent (S113). */
export const tearDownExecution = procedure
  .input(tearDownExecutionInput)
  .mutation(({ ctx, input }) => ctx.vigil.teardown(input));
