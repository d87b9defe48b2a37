import { z } from 'zod';
import { id, lastEventId } from '../fields.ts';
import { resumable } from '../resumable.ts';
import { procedure } from '../trpc.ts';

export const watchActivityInput = z.strictObject({ taskId: id.optional(), lastEventId }).optional();

/** A snapshot, or `resumed`, then every change above it (S100). With `taskId`, of that task only. */
export const watchActivity = procedure.input(watchActivityInput).subscription(({ ctx, input, signal }) => {
  const taskId = input?.taskId;
  return resumable({ ctx, signal, lastEventId: input?.lastEventId }, (options) =>
    ctx.vigil.watchActivity({ ...options, taskId }),
  );
});
