import { type TrackedEnvelope, tracked } from '@trpc/server';
import { type EventStream, VigilError, type WatchOptions } from '@vigil/runtime';
import type { Context } from './context.ts';
import { toTrpcError } from './errors.ts';

interface StreamRequest {
  readonly ctx: Context;
  readonly signal: AbortSignal | undefined;
  readonly lastEventId: string | null | undefined;
}

/**
 * Serves a stream of events with their ids. It ends quietly only when the client left; in every other case it throws,
 * because a plain end tells tRPC's clients that the stream is complete and they never come back.
 */
export async function* resumable<E>(
  request: StreamRequest,
  open: (options: WatchOptions) => EventStream<E>,
): AsyncGenerator<TrackedEnvelope<E>, void, void> {
  const { ctx, signal } = request;
  const either = new AbortController();
  const abort = () => either.abort();
  const sources = [ctx.stopping, ...(signal === undefined ? [] : [signal])];
  for (const source of sources) {
    if (source.aborted) abort();
    source.addEventListener('abort', abort, { once: true });
  }
  try {
    const stream = open({ lastEventId: request.lastEventId ?? undefined, signal: either.signal });
    for await (const { id, event } of stream) {
      yield tracked(id, event);
      await ctx.caller.drained();
    }
  } catch (cause) {
    if (!signal?.aborted) throw toTrpcError(ctx.stopping.aborted ? stopped(cause) : cause);
  } finally {
    for (const source of sources) source.removeEventListener('abort', abort);
    abort();
  }
  if (!signal?.aborted) throw toTrpcError(stopped(null));
}

function stopped(cause: unknown): VigilError {
  return new VigilError('unavailable', 'The server is stopping; come back with the last event id.', { cause });
}
