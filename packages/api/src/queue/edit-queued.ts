import { z } from 'zod';
import { id, promptText } from '../fields.ts';
import { procedure } from '../trpc.ts';

export const editQueuedInput = z.strictObject({ sessionId: id, messageId: id, text: promptText });

/** Changes the text of a prompt that waits (S82). */
export const editQueued = procedure.input(editQueuedInput).mutation(({ ctx, input }) => ctx.vigil.editQueued(input));
