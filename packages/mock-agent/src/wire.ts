import { type Fields, isFields, type Json } from './json.ts';

/** An answer that is an error of JSON-RPC. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: Json | undefined;
  constructor(code: number, message: string, data?: Json) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Answers one request of the peer; call it once. */
export type Reply = (outcome: Fields | RpcError) => void;

/** What the peer may send. */
export interface WireHandlers {
  /** A request that needs an answer. */
  request(method: string, params: Fields, reply: Reply): void;
  /** A notification. */
  notify(method: string, params: Fields): void;
}

/** Longest line that is read; a longer one is answered as malformed. */
const LONGEST_LINE = 16 * 1024 * 1024;

/** JSON-RPC over newline-delimited JSON. Lines are handled in order, synchronously. */
export class Wire {
  readonly #write: (line: string) => void;
  readonly #handlers: WireHandlers;
  readonly #pending = new Map<number, (answer: Fields | RpcError) => void>();
  #rest = '';
  // The agent's request ids are a space of their own and begin at 0, as recorded.
  #nextId = 0;

  constructor(write: (line: string) => void, handlers: WireHandlers) {
    this.#write = write;
    this.#handlers = handlers;
  }

  /** Takes text as it arrives from the peer. */
  receive(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') this.#line(line);
    if (this.#rest.length > LONGEST_LINE) {
      this.#rest = '';
      this.#fail(null, new RpcError(-32700, 'Parse error'));
    }
  }

  /** Sends a notification. */
  notify(method: string, params: Fields): void {
    this.#send({ jsonrpc: '2.0', method, params });
  }

  /** Sends a request; resolves with the result, or an error. A signal that aborts gives it up: a later answer is dropped. */
  request(method: string, params: Fields, signal: AbortSignal): Promise<Fields | RpcError> {
    const id = this.#nextId++;
    this.#send({ jsonrpc: '2.0', id, method, params });
    return new Promise((resolve) => {
      const settle = (answer: Fields | RpcError) => {
        this.#pending.delete(id);
        signal.removeEventListener('abort', abandon);
        resolve(answer);
      };
      const abandon = () => settle(new RpcError(-32800, 'Request cancelled'));
      this.#pending.set(id, settle);
      if (signal.aborted) abandon();
      else signal.addEventListener('abort', abandon, { once: true });
    });
  }

  #line(line: string): void {
    let frame: unknown;
    try {
      frame = JSON.parse(line);
    } catch {
      this.#fail(null, new RpcError(-32700, 'Parse error'));
      return;
    }
    if (!isFields(frame)) {
      this.#fail(null, new RpcError(-32600, 'Invalid request'));
      return;
    }
    const { id, method } = frame;
    if (typeof method !== 'string') {
      this.#answered(frame);
      return;
    }
    const params = isFields(frame.params) ? frame.params : {};
    if (id === undefined) {
      this.#handlers.notify(method, params);
      return;
    }
    this.#asked(id, method, params);
  }

  #asked(id: Json, method: string, params: Fields): void {
    let open = true;
    const reply: Reply = (outcome) => {
      if (!open) return;
      open = false;
      if (outcome instanceof RpcError) this.#fail(id, outcome);
      else this.#send({ jsonrpc: '2.0', id, result: outcome });
    };
    try {
      this.#handlers.request(method, params, reply);
    } catch (error) {
      reply(error instanceof RpcError ? error : new RpcError(-32603, 'Internal error', { details: String(error) }));
    }
  }

  #answered(frame: Fields): void {
    if (typeof frame.id !== 'number') return;
    const settle = this.#pending.get(frame.id);
    if (settle === undefined) return;
    if (isFields(frame.error)) {
      const { code, message } = frame.error;
      settle(new RpcError(typeof code === 'number' ? code : -32603, String(message)));
    } else {
      settle(isFields(frame.result) ? frame.result : {});
    }
  }

  #fail(id: Json, error: RpcError): void {
    const data = error.data === undefined ? {} : { data: error.data };
    this.#send({ jsonrpc: '2.0', id, error: { code: error.code, message: error.message, ...data } });
  }

  #send(frame: Fields): void {
    this.#write(`${JSON.stringify(frame)}\n`);
  }
}
