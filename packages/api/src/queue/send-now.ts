import { z } from 'zod';
import { id } from '../fields.ts';
import { procedure } from '../trpc.ts';

export const sendNowInput = z.strictObject({ sessionId: id, messageId: id });

/** Puts a prompt first and lets the queue run (S82). */
export const sendNow = procedure.input(sendNowInput).mutation(({ ctx, input }) => ctx.vigil.sendNow(input));
