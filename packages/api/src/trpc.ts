import { initTRPC } from '@trpc/server';
import type { Context } from './context.ts';
import { describeError, toTrpcError } from './errors.ts';

/** Server's ping and client's patience: a lost SSE stream is noticed within 5 s (W5), in ms. */
const SSE_PING_MS = 1_500;
const SSE_PATIENCE_MS = 4_000;

/**
 * The wire is plain JSON. An identity transformer changes nothing there; it tells the types that what a procedure
 * returns is what a client reads, where tRPC would otherwise make every `unknown` field optional.
 */
const asItIs = { serialize: (value: unknown) => value, deserialize: (value: unknown) => value };

const t = initTRPC.context<Context>().create({
  // Stack traces never leave the process, whatever NODE_ENV says.
  isDev: false,
  transformer: asItIs,
  sse: {
    ping: { enabled: true, intervalMs: SSE_PING_MS },
    client: { reconnectAfterInactivityMs: SSE_PATIENCE_MS },
  },
  errorFormatter({ shape, error }) {
    const { message, reason, zodIssues } = describeError(error);
    const { code, httpStatus, path } = shape.data;
    return { ...shape, message, data: { code, httpStatus, path, reason, zodIssues } };
  },
});

export const router = t.router;

/** Every procedure starts here: expected failures become tRPC errors. */
export const procedure = t.procedure.use(async ({ next }) => {
  const result = await next();
  if (!result.ok) throw toTrpcError(result.error);
  return result;
});
