import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { createGzip } from 'node:zlib';

/**
 * A reverse proxy of the plainest kind, between browsers and a server: HTTP/1.1, compresses what may be compressed, knows
 * nothing of streams. `silence` lets nothing pass any more while every connection stays open, as when a laptop leaves.
 */
export class PlainProxy {
  readonly url: string;
  readonly #server;
  readonly #sockets = new Set<Duplex>();
  #silent = false;

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(target: string): Promise<PlainProxy> {
    const { hostname, port } = new URL(target);
    const server = createServer((incoming, outgoing) => {
      const { method, url: path, headers } = incoming;
      const onward = request({ hostname, port, method, path, headers }, (answer) => {
        const packed = headers['accept-encoding']?.includes('gzip') && answer.headers['content-encoding'] === undefined;
        const { 'content-length': length, ...rest } = answer.headers;
        if (!packed)
          outgoing.writeHead(answer.statusCode ?? 502, { ...rest, ...(length && { 'content-length': length }) });
        else outgoing.writeHead(answer.statusCode ?? 502, { ...rest, 'content-encoding': 'gzip' });
        if (packed) answer.pipe(createGzip()).pipe(outgoing);
        else answer.pipe(outgoing);
      });
      onward.on('error', () => outgoing.destroy());
      outgoing.on('close', () => onward.destroy());
      incoming.pipe(onward);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new PlainProxy(server);
    server.on('upgrade', (incoming, near, head) => {
      if (proxy.#silent) {
        proxy.#sockets.add(near.on('error', () => near.destroy()));
        return;
      }
      const lines = [`${incoming.method} ${incoming.url} HTTP/1.1`];
      for (let at = 0; at < incoming.rawHeaders.length; at += 2)
        lines.push(`${incoming.rawHeaders[at]}: ${incoming.rawHeaders[at + 1]}`);
      const far = connect(Number(port), hostname, () => {
        far.write(`${lines.join('\r\n')}\r\n\r\n`);
        far.write(head);
        near.pipe(far).pipe(near);
      });
      proxy.#join(near, far);
    });
    return proxy;
  }

  /** Takes nothing from either end any more, and no new sockets; what was open stays open. */
  silence(): void {
    this.#silent = true;
    for (const socket of this.#sockets) {
      socket.unpipe();
      socket.pause();
    }
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(near: Duplex, far: Duplex): void {
    for (const [one, other] of [[near, far] as const, [far, near] as const]) {
      this.#sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.#sockets.delete(one);
        if (!this.#silent) other.destroy();
      });
    }
  }
}
