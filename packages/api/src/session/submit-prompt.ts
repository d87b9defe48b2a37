import { z } from 'zod';
import { clientKey, id, promptOrigin, promptText } from '../fields.ts';
import { procedure } from '../trpc.ts';

export const submitPromptInput = z.strictObject({
  sessionId: id,
  text: promptText,
  clientKey,
  origin: promptOrigin.optional(),
});

/** Runs a prompt now or queues it, and says why (S80). Idempotent by `clientKey`. */
export const submitPrompt = procedure.input(submitPromptInput).mutation(({ ctx, input }) => ctx.vigil.submit(input));
