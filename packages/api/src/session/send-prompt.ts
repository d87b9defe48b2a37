import { z } from 'zod';
import { id, promptOrigin, promptText } from '../fields.ts';
import { procedure } from '../trpc.ts';

export const sendPromptInput = z.strictObject({ sessionId: id, text: promptText, origin: promptOrigin.optional() });

/** The strict form: the prompt is accepted by the agent, or refused with `CONFLICT` and a reason (S51, S80). */
export const sendPrompt = procedure.input(sendPromptInput).mutation(({ ctx, input }) => ctx.vigil.prompt(input));
