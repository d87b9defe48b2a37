/** How long a closing handshake may take before the socket counts as closed, in ms. */
const CLOSE_GRACE_MS = 500;

/**
 * The browser's socket, but closing never waits for a peer that is gone: without the peer's answer a browser reports
 * `close` only after tens of seconds, and the page would claim to be live meanwhile (W5).
 */
class PromptlyClosingSocket extends WebSocket {
  #reported = false;

  constructor(url: string | URL, protocols?: string | string[]) {
    super(url, protocols);
    this.addEventListener('close', (event) => {
      if (this.#reported) event.stopImmediatePropagation();
      this.#reported = true;
    });
  }

  override close(code?: number, reason?: string): void {
    super.close(code, reason);
    setTimeout(() => {
      if (!this.#reported) this.dispatchEvent(new CloseEvent('close', { code: 1006, reason: 'no answer' }));
    }, CLOSE_GRACE_MS);
  }
}

/** Sockets of this platform. */
export function platformSockets(): { WebSocket: typeof WebSocket; EventSource: typeof EventSource } {
  return { WebSocket: PromptlyClosingSocket, EventSource };
}

/** Options of an event source that sends `headers`. */
export function eventSourceInit(headers: Record<string, string>): EventSourceInit {
  if (Object.keys(headers).length > 0) {
    throw new Error("A browser's event source sends no token. Use the transport 'ws', or sign in with a cookie.");
  }
  return { withCredentials: true };
}
