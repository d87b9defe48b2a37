import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The web app as the server sees it. */
export interface Web {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
  close(): Promise<void>;
}

export interface WebOptions {
  readonly host: string;
  readonly port: number;
  readonly server: Server;
  readonly mode: 'production' | 'development';
}

export type MountWeb = (options: WebOptions) => Promise<Web>;
