import type { FrameDrop } from './frame-drops.ts';
import { isObject, type JsonObject, numberAt, objectAt, parseFrame, textAt } from './json.ts';

/** An agent's id of a request of its own; its space is not ours. */
export type RequestId = string | number;

export type RpcAnswer =
  | { readonly ok: true; readonly result: JsonObject }
  | { readonly ok: false; readonly code: number; readonly message: string; readonly data: unknown };

export interface PeerHandler {
  notified(method: string, params: JsonObject): void;
  requested(id: RequestId, method: string, params: JsonObject): void;
  dropped(why: FrameDrop): void;
}

const NO_ANSWER = 'the agent answered with neither a result nor an error';

export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const REQUEST_CANCELLED = -32800;

/** Our side of one JSON-RPC wire. Everything it hands on is handed on synchronously and in wire order. */
export class JsonRpcPeer {
  readonly #write: (line: string) => boolean;
  readonly #handler: PeerHandler;
  readonly #open = new Map<number, (answer: RpcAnswer) => void>();
  #next = 0;

  constructor(write: (line: string) => boolean, handler: PeerHandler) {
    this.#write = write;
    this.#handler = handler;
  }

  /** Writes a request. `answered` is called while the answer's frame is being read, before any later frame. */
  request(method: string, params: JsonObject, answered: (answer: RpcAnswer) => void): void {
    const id = this.#next;
    this.#next += 1;
    this.#open.set(id, answered);
    if (this.#send({ id, method, params })) return;
    this.#open.delete(id);
    answered({ ok: false, code: 0, message: 'the agent does not read any more', data: null });
  }

  notify(method: string, params: JsonObject): void {
    this.#send({ method, params });
  }

  answer(id: RequestId, result: JsonObject): void {
    this.#send({ id, result });
  }

  refuse(id: RequestId, code: number, message: string): void {
    this.#send({ id, error: { code, message } });
  }

  /** Reads one line that the agent wrote. */
  read(line: string): void {
    const frame = parseFrame(line, () => this.#handler.dropped('prototype_key'));
    if (frame) this.#frame(frame);
    else this.#handler.dropped('no_frame');
  }

  #frame(frame: JsonObject): void {
    const { id, method } = frame;
    if (typeof method === 'string') {
      const params = isObject(frame.params) ? frame.params : {};
      if (id === undefined || id === null) this.#handler.notified(method, params);
      else if (typeof id === 'string' || Number.isFinite(id)) this.#handler.requested(id as RequestId, method, params);
      else this.#handler.dropped('bad_request_id');
    } else this.#settle(id, frame);
  }

  /** Nothing more comes: every open request fails. */
  close(why: string): void {
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const answered of open) answered({ ok: false, code: 0, message: why, data: null });
  }

  #settle(id: unknown, frame: JsonObject): void {
    const answered = typeof id === 'number' ? this.#open.get(id) : undefined;
    if (!answered || typeof id !== 'number') {
      this.#handler.dropped('unknown_answer');
      return;
    }
    this.#open.delete(id);
    const answer = answerOf(frame);
    if (answer === null) this.#handler.dropped('malformed_answer');
    answered(answer ?? { ok: false, code: 0, message: NO_ANSWER, data: null });
  }

  #send(frame: JsonObject): boolean {
    return this.#write(`${JSON.stringify({ jsonrpc: '2.0', ...frame })}\n`);
  }
}

/** What an answer says; null when it says neither yes nor no. Whatever its shape: one that holds an error is no yes. */
export function answerOf(frame: JsonObject): RpcAnswer | null {
  const { error, result } = frame;
  if (error !== undefined && error !== null) {
    const code = numberAt(error, 'code') ?? 0;
    const message = textAt(error, 'message') ?? (isObject(error) ? `error ${code}` : `error ${JSON.stringify(error)}`);
    return { ok: false, code, message, data: objectAt(error).data };
  }
  // Methods that answer nothing may do so by null.
  if (result === null) return { ok: true, result: {} };
  return isObject(result) ? { ok: true, result } : null;
}
