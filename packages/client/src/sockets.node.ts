import { EventSource as NodeEventSource } from 'eventsource';
import { WebSocket as NodeWebSocket } from 'ws';

/** How long a closing handshake may take before the socket is cut, in ms. */
const CLOSE_GRACE_MS = 500;

/** Closing never waits for a peer that is gone: `ws` itself would wait 30 s. */
class PromptlyClosingSocket extends NodeWebSocket {
  override close(code?: number, reason?: string): void {
    super.close(code, reason);
    setTimeout(() => this.terminate(), CLOSE_GRACE_MS).unref();
  }
}

/** Sockets of this platform. */
export function platformSockets(): { WebSocket: typeof WebSocket; EventSource: typeof EventSource } {
  return {
    WebSocket: PromptlyClosingSocket as unknown as typeof WebSocket,
    EventSource: NodeEventSource as unknown as typeof EventSource,
  };
}

/** Options of an event source that sends `headers`. */
export function eventSourceInit(headers: Record<string, string>): EventSourceInit {
  const init: ConstructorParameters<typeof NodeEventSource>[1] = {
    fetch: (url, options) => fetch(url, { ...options, headers: { ...options.headers, ...headers } }),
  };
  return init as EventSourceInit;
}
