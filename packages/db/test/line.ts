import { once } from 'node:events';
import { createConnection, createServer, type Server, type Socket } from 'node:net';

/** Stands between the client and the server, so that a test can cut the line. */
export class Line {
  readonly #target: { host: string; port: number };
  readonly #sockets = new Set<Socket>();
  readonly #near = new Set<Socket>();
  #server: Server | null = null;
  #port = 0;
  #silent = false;

  constructor(target: { host: string; port: number }) {
    this.#target = target;
  }

  /** How many lines were ever made. */
  made = 0;

  get port(): number {
    return this.#port;
  }

  async open(): Promise<void> {
    this.#silent = false;
    this.#server = createServer((near) => {
      if (this.#silent) {
        this.#sockets.add(near.on('error', () => {}));
        return;
      }
      const far = createConnection(this.#target);
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on('error', () => {});
      }
      this.#near.add(near);
      this.made += 1;
      near.pipe(far).pipe(near);
    });
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    this.#port = typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** From now on nothing passes, and nobody is told: every line stays open. */
  silence(): void {
    for (const socket of this.#sockets) socket.unpipe().pause();
    this.#silent = true;
  }

  /** Cuts the client off, while the server hears nothing of it. */
  cutNear(): void {
    for (const socket of this.#near) socket.destroy();
    this.#near.clear();
  }

  async cut(): Promise<void> {
    const closed = this.#server === null ? null : once(this.#server, 'close');
    this.#server?.close();
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
    this.#near.clear();
    await closed;
  }
}
