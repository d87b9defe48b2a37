import { z } from 'zod';
import { generation, id } from '../fields.ts';
import { procedure } from '../trpc.ts';

export const sendNowInput = z.strictObject({ sessionId: id, messageId: id, generation: generation.optional() });

/** Sends a prompt next: at once, or in place of the turn at work; `generation` is that turn as it was seen (S82). */
export const sendNow = procedure.input(sendNowInput).mutation(({ ctx, input }) => ctx.vigil.sendNow(input));
