import { z } from 'zod';
import { folder, id, title } from '../fields.ts';
import { procedure } from '../trpc.ts';

export const createSessionInput = z.strictObject({
  taskId: id,
  agentId: id,
  cwd: folder.optional(),
  title: title.optional(),
});

/** Makes a session; its agent starts with the first prompt. */
export const createSession = procedure
  .input(createSessionInput)
  .mutation(({ ctx, input }) => ctx.vigil.createSession(input));
