import {
  createWSClient,
  httpBatchLink,
  httpSubscriptionLink,
  retryLink,
  splitLink,
  type TRPCClientError,
  type TRPCLink,
  wsLink,
} from '@trpc/client';
import type { AppRouter } from '@vigil/api';
import { eventSourceInit, platformSockets } from '#sockets';
import type { VigilClientOptions } from './options.ts';

const PATH = '/api/trpc';
const MAX_URL_LENGTH = 4_000;
/** A silent socket is noticed after both and a closing grace: within 5 s (W5), in ms. */
const PING_EVERY_MS = 2_000;
const PONG_WITHIN_MS = 1_500;
const SOCKET_IDLE_MS = 10_000;
const RETRY_STEP_MS = 250;
const RETRY_CAP_MS = 5_000;

/** The wire is plain JSON: what comes is what is read. */
const transformer = { serialize: (value: unknown) => value, deserialize: (value: unknown) => value };

interface Links {
  readonly links: TRPCLink<AppRouter>[];
  close(): Promise<void>;
}

/** Streams on one socket or on event sources, calls on batched requests; streams come back by themselves. */
export function vigilLinks(options: VigilClientOptions): Links {
  const url = `${origin(options.url)}${PATH}`;
  const headers: Record<string, string> =
    options.token === undefined ? {} : { authorization: `Bearer ${options.token}` };
  const retryDelayMs = options.retryDelayMs ?? backOff;
  const stream = options.transport === 'sse' ? sseStream(url, headers) : wsStream(url, options);
  const comeBack = retryLink<AppRouter>({ retry: ({ error }) => isTransient(error), retryDelayMs });
  const calls = httpBatchLink<AppRouter>({ url, headers, maxURLLength: MAX_URL_LENGTH, transformer });
  return {
    links: [splitLink({ condition: (op) => op.type === 'subscription', true: [comeBack, stream.link], false: calls })],
    close: stream.close,
  };
}

/** Delay before the n-th attempt: at once at first, then doubling to 5 s; the jitter keeps a crowd apart. */
export function backOff(attempt: number): number {
  if (attempt === 0) return 0;
  return Math.min(RETRY_STEP_MS * 2 ** attempt, RETRY_CAP_MS) * (0.75 + Math.random() / 2);
}

/** True for failures of the way or of the server; false when the server refuses the request itself. */
export function isTransient(error: TRPCClientError<AppRouter>): boolean {
  const status = error.data?.httpStatus ?? statusOf(error.cause);
  return status === null || status >= 500;
}

function statusOf(cause: unknown): number | null {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : null;
  return typeof code === 'number' ? code : null;
}

interface StreamLink {
  readonly link: TRPCLink<AppRouter>;
  close(): Promise<void>;
}

function wsStream(url: string, { token, retryDelayMs }: VigilClientOptions): StreamLink {
  const client = createWSClient({
    url: url.replace(/^http/, 'ws'),
    WebSocket: platformSockets().WebSocket,
    lazy: { enabled: true, closeMs: SOCKET_IDLE_MS },
    keepAlive: { enabled: true, intervalMs: PING_EVERY_MS, pongTimeoutMs: PONG_WITHIN_MS },
    retryDelayMs: retryDelayMs ?? backOff,
    ...(token === undefined ? {} : { connectionParams: { token } }),
  });
  return { link: wsLink<AppRouter>({ client, transformer }), close: () => client.close() };
}

function sseStream(url: string, headers: Record<string, string>): StreamLink {
  const link = httpSubscriptionLink<AppRouter, typeof EventSource>({
    url,
    transformer,
    EventSource: platformSockets().EventSource,
    eventSourceOptions: () => eventSourceInit(headers),
  });
  return { link, close: async () => {} };
}

function origin(url: string | undefined): string {
  if (url !== undefined) return url.replace(/\/+$/, '');
  const { location } = globalThis as { location?: { origin: string } };
  // Rendering on a server makes a client and calls nothing with it.
  return location?.origin ?? 'http://127.0.0.1:3000';
}
