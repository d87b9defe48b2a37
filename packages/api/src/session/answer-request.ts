import { z } from 'zod';
import { id } from '../fields.ts';
import { procedure } from '../trpc.ts';

export const answerRequestInput = z.strictObject({
  sessionId: id,
  requestId: id,
  outcome: z.union([
    z.strictObject({ optionId: id }),
    z.strictObject({ answers: z.record(z.string(), z.unknown()) }),
    z.strictObject({ cancelled: z.literal(true) }),
  ]),
});

/** Answers a pending permission or clarification (S132). */
export const answerRequest = procedure.input(answerRequestInput).mutation(({ ctx, input }) => ctx.vigil.respond(input));
