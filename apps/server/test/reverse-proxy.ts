import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';

/** A reverse proxy of the plainest kind: HTTP/1.1, forwards requests and upgrades, keeps the name that was asked for. */
export async function startProxy(target: string): Promise<AsyncDisposable & { readonly url: string }> {
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const onward = request({ hostname, port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  const upgraded = new Set<Duplex>();
  server.on('upgrade', (incoming, socket, head) => {
    upgraded.add(socket);
    const lines = [`${incoming.method} ${incoming.url} HTTP/1.1`];
    for (let index = 0; index < incoming.rawHeaders.length; index += 2)
      lines.push(`${incoming.rawHeaders[index]}: ${incoming.rawHeaders[index + 1]}`);
    const onward = connect(Number(port), hostname, () => {
      onward.write(`${lines.join('\r\n')}\r\n\r\n`);
      onward.write(head);
      socket.pipe(onward).pipe(socket);
    });
    for (const [one, other] of [[socket, onward] as const, [onward, socket] as const]) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      for (const socket of upgraded) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
