import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { MountWeb } from './web.ts';

/** What is used of Next. Its own declarations would change the type of `process.env` for every package that is read. */
type Next = (options: {
  readonly dev: boolean;
  readonly dir: string;
  readonly hostname: string;
  readonly port: number;
  readonly httpServer: Server;
}) => {
  prepare(): Promise<void>;
  getRequestHandler(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  getUpgradeHandler(): (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>;
  close(): Promise<void>;
};

/** Mounts the Next app. It is loaded here and nowhere else, so that a headless server never reads it. */
export const mountNext: MountWeb = async ({ host, port, server, mode }) => {
  const next = createRequire(import.meta.url)('next') as Next;
  const dir = fileURLToPath(new URL('../../web', import.meta.url));
  const app = next({ dev: mode === 'development', dir, hostname: host, port, httpServer: server });
  await app.prepare();
  const handle = app.getRequestHandler();
  const upgrade = app.getUpgradeHandler();
  return {
    handle: (request, response) => handle(request, response),
    upgrade: (request, socket, head) => upgrade(request, socket, head),
    close: () => app.close(),
  };
};
