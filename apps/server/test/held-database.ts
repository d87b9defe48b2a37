import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a Postgres server that may keep back its answers. */
export interface HeldDatabase {
  readonly url: string;
  /** Resolves once a row with these words was inserted; the answer to that and all later ones stay here. */
  holdInsert(words: string): Promise<void>;
  close(): Promise<void>;
}

export async function holdDatabase(target: string): Promise<HeldDatabase> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let awaited: { words: string; stored: () => void } | null = null;
  let isBound = false;
  let isHeld = false;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [one, other] of [[near, far] as const, [far, near] as const]) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
    near.on('data', (data) => {
      isBound ||= awaited !== null && data.includes(awaited.words);
      far.write(data);
    });
    far.on('data', (data) => {
      if (isBound && data.includes('INSERT 0 1')) {
        isHeld = true;
        awaited?.stored();
      }
      if (!isHeld) near.write(data);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    holdInsert: (words) =>
      new Promise((resolve) => {
        awaited = { words, stored: resolve };
      }),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
