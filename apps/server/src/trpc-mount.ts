import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { TRPCError } from '@trpc/server';
import { nodeHTTPRequestHandler } from '@trpc/server/adapters/node-http';
import { applyWSSHandler } from '@trpc/server/adapters/ws';
import { appRouter, type Caller, type Context } from '@vigil/api';
import type { Vigil } from '@vigil/runtime';
import { WebSocket, WebSocketServer } from 'ws';

export const TRPC_PATH = '/api/trpc';

/** A prompt of 1 MiB, escaped, with room for its envelope. */
const MAX_MESSAGE_BYTES = 4 << 20;
const PING_MS = 15_000;
const PONG_MS = 5_000;
/** What may wait in a socket before its streams wait too, and how often it is looked at, in ms. */
const MAX_WAITING_BYTES = 256 << 10;
const LOOK_EVERY_MS = 20;
/** Told to sockets: the service restarts, come back. */
const SERVICE_RESTART = 1012;

export interface TrpcMountOptions {
  readonly vigil: Vigil;
  readonly stopping: AbortSignal;
  onError(error: TRPCError, path: string | undefined): void;
}

/** The router over HTTP, SSE and WebSocket, all on one path. */
export interface TrpcMount {
  readonly sockets: number;
  handle(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /**
   * Tells sockets to come back and closes them. To be called before the streams end: what a stream throws over an open
   * socket is final for its client.
   */
  closeSockets(): void;
}

export function mountTrpc(options: TrpcMountOptions): TrpcMount {
  const { vigil, stopping } = options;
  const contextOf = (request: IncomingMessage, caller: Pick<Caller, 'transport' | 'drained'>): Context => ({
    vigil,
    stopping,
    caller: { ...caller, origin: request.headers.origin ?? null },
  });
  const onError = ({ error, path }: { error: TRPCError; path?: string | undefined }) => options.onError(error, path);
  const wss = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  const ws = applyWSSHandler({
    wss,
    router: appRouter,
    createContext: ({ req, res }) => contextOf(req, { transport: 'ws', drained: () => drained(res) }),
    onError,
    keepAlive: { enabled: true, pingMs: PING_MS, pongWaitMs: PONG_MS },
  });
  return {
    get sockets() {
      return wss.clients.size;
    },
    handle(req, res) {
      const path = pathOf(req).slice(TRPC_PATH.length + 1);
      // The answer itself waits for a slow reader.
      const createContext = () => contextOf(req, { transport: 'http', drained: () => Promise.resolve() });
      void nodeHTTPRequestHandler({
        req,
        res,
        path,
        router: appRouter,
        createContext,
        onError,
        maxBodySize: MAX_MESSAGE_BYTES,
      });
    },
    upgrade(request, socket, head) {
      wss.handleUpgrade(request, socket, head, (client) => wss.emit('connection', client, request));
    },
    closeSockets() {
      ws.broadcastReconnectNotification();
      for (const client of wss.clients) client.close(SERVICE_RESTART, 'restart');
      wss.close();
    },
  };
}

/** A socket takes all that it is given: without this, a reader that does not read is a growing heap of stale values. */
async function drained(socket: WebSocket): Promise<void> {
  while (socket.readyState === WebSocket.OPEN && socket.bufferedAmount > MAX_WAITING_BYTES) await pause(LOOK_EVERY_MS);
}

export function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').split('?', 1)[0] ?? '/';
}
