import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Knows which connections are answering something. Node's own `closeIdleConnections` spares a connection that has not
 * sent a request yet, and browsers open such ones ahead of need: each would delay a stop until it is cut.
 */
export class Connections {
  /** Answers under way per connection; an upgraded one never ends its own. */
  readonly #answering = new Map<Duplex, number>();

  constructor(server: Server) {
    server.on('connection', (socket) => {
      this.#answering.set(socket, 0);
      socket.on('close', () => this.#answering.delete(socket));
    });
    server.on('request', (request, response) => this.#hold(request, response));
    server.on('upgrade', (request) => this.#add(request.socket, 1));
  }

  /** Closes those that answer nothing. */
  closeIdle(): void {
    for (const [socket, answers] of this.#answering) if (answers === 0) socket.destroy();
  }

  /** Cuts all, also upgraded ones. */
  cut(): void {
    for (const socket of this.#answering.keys()) socket.destroy();
  }

  #hold({ socket }: IncomingMessage, response: ServerResponse): void {
    this.#add(socket, 1);
    response.on('close', () => this.#add(socket, -1));
  }

  #add(socket: Duplex, answers: number): void {
    const before = this.#answering.get(socket);
    if (before !== undefined) this.#answering.set(socket, before + answers);
  }
}
