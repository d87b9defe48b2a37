import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { TRPCError } from '@trpc/server';
import type { Vigil } from '@vigil/runtime';
import { Connections } from './connections.ts';
import { refusalOf } from './guard.ts';
import type { Logger } from './logger.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { setPagePolicy, setSecurityHeaders } from './security-headers.ts';
import { mountTrpc, pathOf, TRPC_PATH, type TrpcMount } from './trpc-mount.ts';
import type { Web } from './web.ts';

export interface HttpOptions {
  readonly host: string;
  readonly mode: 'production' | 'development';
  readonly log: Logger;
}

const RETRY_AFTER_S = '1';
/** Failures that the server itself has to answer for. */
const SERVER_FAULT = 'INTERNAL_SERVER_ERROR';

/**
 * Every route of the server. It listens before there is anything to serve, so that a port in use fails at once; until
 * `serve` is called, and again once it is stopping, it answers 503.
 */
export class Http {
  readonly server: Server;
  readonly connections: Connections;
  readonly #options: HttpOptions;
  readonly #metrics: Metrics;
  readonly #stopping = new AbortController();
  #vigil: Vigil | null = null;
  #trpc: TrpcMount | null = null;
  #web: Web | null = null;

  constructor(options: HttpOptions) {
    this.#options = options;
    this.#metrics = createMetrics({ vigil: () => this.#vigil, sockets: () => this.#trpc?.sockets ?? 0 });
    this.server = createServer((request, response) => this.#answer(request, response));
    this.connections = new Connections(this.server);
    this.server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
  }

  /** From now on requests are answered. */
  serve(vigil: Vigil, web: Web | null): void {
    this.#vigil = vigil;
    this.#web = web;
    this.#trpc = mountTrpc({
      vigil,
      stopping: this.#stopping.signal,
      onError: (error, path) => this.#report(error, path),
    });
  }

  /** From now on nothing new is admitted. */
  stopAdmitting(): void {
    this.#vigil = null;
    this.server.close();
  }

  /** Sends every stream away, to come back: sockets first, then what is left over HTTP. */
  endStreams(): void {
    this.#trpc?.closeSockets();
    this.#stopping.abort();
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    setSecurityHeaders(response);
    const path = pathOf(request);
    const route = routeOf(path);
    response.on('close', () => this.#metrics.countRequest(route, response.statusCode));
    const refusal = refusalOf(request, this.#options.host);
    if (refusal !== null) {
      sendJson(response, 403, refusal);
      return;
    }
    this.#route(route, request, response).catch((cause: unknown) => {
      this.#options.log.error({ err: cause, path }, 'a request failed');
      if (!response.headersSent)
        sendJson(response, 500, { error: 'internal', message: 'The server failed; see its log.' });
      else response.destroy();
    });
  }

  async #route(route: Route, request: IncomingMessage, response: ServerResponse): Promise<void> {
    switch (route) {
      case 'health':
        return sendJson(response, 200, { status: 'ok' });
      case 'ready': {
        const answer = (await this.#vigil?.ready()) ?? { ready: false, reason: 'The server is starting or stopping.' };
        return sendJson(response, answer.ready ? 200 : 503, answer);
      }
      case 'metrics':
        response.setHeader('content-type', this.#metrics.contentType);
        response.end(await this.#metrics.render());
        return;
      case 'trpc':
        if (this.#vigil === null || this.#trpc === null) return sendUnavailable(response);
        return this.#trpc.handle(request, response);
      case 'other':
        return this.#page(request, response);
      default:
        route satisfies never;
    }
  }

  async #page(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#vigil === null) return wantsPage(request) ? sendWaitingPage(response) : sendUnavailable(response);
    if (this.#web === null || pathOf(request).startsWith('/api/')) {
      return sendJson(response, 404, {
        error: 'not_found',
        message: `Expected ${TRPC_PATH}, /api/health, /api/ready or /metrics.`,
      });
    }
    setPagePolicy(response, this.#options.mode);
    await this.#web.handle(request, response);
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const refusal = refusalOf(request, this.#options.host);
    if (refusal !== null) refuseUpgrade(socket, 403, refusal);
    else if (this.#vigil === null || this.#trpc === null) refuseUpgrade(socket, 503, UNAVAILABLE);
    else if (pathOf(request) === TRPC_PATH) this.#trpc.upgrade(request, socket, head);
    else if (this.#web === null) refuseUpgrade(socket, 404, { error: 'not_found', message: `Expected ${TRPC_PATH}.` });
    else this.#web.upgrade(request, socket, head).catch(() => socket.destroy());
  }

  #report(error: TRPCError, path: string | undefined): void {
    this.#metrics.countError(error.code);
    const { log } = this.#options;
    if (error.code === SERVER_FAULT) log.error({ err: error.cause ?? error, path }, 'a call failed unexpectedly');
    else log.debug({ code: error.code, path, message: error.message }, 'a call was refused');
  }
}

type Route = 'trpc' | 'health' | 'ready' | 'metrics' | 'other';

const ROUTES: Readonly<Record<string, Route>> = {
  '/api/health': 'health',
  '/api/ready': 'ready',
  '/metrics': 'metrics',
};

function routeOf(path: string): Route {
  if (path.startsWith(`${TRPC_PATH}/`)) return 'trpc';
  return ROUTES[path] ?? 'other';
}

interface Failure {
  readonly error: string;
  readonly message: string;
}

const UNAVAILABLE: Failure = { error: 'unavailable', message: 'The server is starting or stopping; try again.' };

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function sendUnavailable(response: ServerResponse): void {
  response.setHeader('retry-after', RETRY_AFTER_S);
  sendJson(response, 503, UNAVAILABLE);
}

/** Whether a person reads the answer in a browser. */
const wantsPage = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.accept?.includes('text/html') === true;

/** Comes back by itself, so that a page that is opened too early needs no second try. */
function sendWaitingPage(response: ServerResponse): void {
  response.setHeader('retry-after', RETRY_AFTER_S);
  response.writeHead(503, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
  response.end(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark"><meta http-equiv="refresh" content="${RETRY_AFTER_S}">` +
      '<title>Vigil</title><p style="font-family:system-ui;margin:2rem">Vigil is starting or stopping. This page tries again by itself.</p></html>',
  );
}

function refuseUpgrade(socket: Duplex, status: 403 | 404 | 503, failure: Failure): void {
  const body = JSON.stringify(failure);
  const reason = { 403: 'Forbidden', 404: 'Not Found', 503: 'Service Unavailable' }[status];
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
