import { z } from 'zod';
import { id, lastEventId } from '../fields.ts';
import { resumable } from '../resumable.ts';
import { procedure } from '../trpc.ts';

export const watchSessionInput = z.strictObject({ sessionId: id, lastEventId });

/** A snapshot of one session, or `resumed`, then its transcript, requests and queue. */
export const watchSession = procedure.input(watchSessionInput).subscription(({ ctx, input, signal }) => {
  const { sessionId } = input;
  return resumable({ ctx, signal, lastEventId: input.lastEventId }, (options) =>
    ctx.vigil.watchSession({ ...options, sessionId }),
  );
});
