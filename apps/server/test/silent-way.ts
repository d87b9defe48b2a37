import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server that can go silent: connections stay open and nothing passes, as when a laptop leaves its network. */
export class SilentWay implements AsyncDisposable {
  readonly #server = createServer((near) => this.#join(near));
  readonly #sockets = new Set<Socket>();
  readonly #target: number;
  #silent = false;

  constructor(target: number) {
    this.#target = target;
  }

  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  silence(silent: boolean): void {
    this.#silent = silent;
  }

  /** Nothing is taken from either end any more: what they send waits at them, as with a reader that does not read. */
  stall(stalled: boolean): void {
    for (const socket of this.#sockets) {
      if (stalled) socket.pause();
      else socket.resume();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #join(near: Socket): void {
    const far = connect(this.#target, '127.0.0.1');
    for (const [from, to] of [[near, far] as const, [far, near] as const]) {
      this.#sockets.add(from);
      from.on('data', (chunk) => this.#silent || to.write(chunk));
      from.on('error', () => to.destroy());
      from.on('close', () => this.#silent || to.destroy());
    }
  }
}
