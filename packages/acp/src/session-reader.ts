import type { Generation, Traits } from '@vigil/liveness';
import type { StopTarget } from './adapters/adapter.ts';
import { endsTurn, type FrameReader } from './frame-reader.ts';
import type { RefusedRequest, RequestDesk } from './requests/request-desk.ts';
import type { Reading, RequestEvent, RequestOutcome } from './types.ts';
import { type JsonObject, objectAt, textAt } from './wire/json.ts';
import type { RequestId, RpcAnswer } from './wire/json-rpc-peer.ts';

/** The frames of one session together with the requests that wait in it: all that is read between wire and sink. */
export class SessionReader {
  readonly #frames: FrameReader;
  readonly #desk: RequestDesk;
  #sessionId: string | null = null;

  constructor(frames: FrameReader, desk: RequestDesk) {
    this.#frames = frames;
    this.#desk = desk;
  }

  get traits(): Traits {
    return this.#frames.traits;
  }

  opened(sessionId: string, answer: JsonObject = {}): Reading {
    this.#sessionId = sessionId;
    return this.#whole(this.#frames.opened(sessionId, answer));
  }

  written(generation: Generation): void {
    this.#frames.written(generation);
  }

  answered(generation: Generation, answer: RpcAnswer): Reading {
    return this.#whole(this.#frames.answered(generation, answer));
  }

  /** Null when it told nothing: a withdrawal of what is not open. */
  notified(method: string, params: JsonObject): Reading | null {
    if (method === '$/cancel_request') {
      const event = this.#desk.withdraw(params.requestId);
      return event ? only([event]) : null;
    }
    const reading = this.#frames.notified(method, params);
    const orphaned = method === 'session/update' && this.#desk.isOpen ? this.#orphaned(params) : [];
    return this.#whole(orphaned.length === 0 ? reading : { ...reading, requests: [...reading.requests, ...orphaned] });
  }

  /** Why it is dropped, when it is a request that we do not serve, or one before the conversation is had. */
  requested(id: RequestId, method: string, params: JsonObject): Reading | RefusedRequest {
    if (this.#sessionId === null) return 'unknown_method';
    const asking = this.#frames.asking(params);
    const event = this.#desk.open(id, method, asking);
    return typeof event === 'string' ? event : this.#whole(this.#frames.asked(asking, event));
  }

  /** Null when the request is not open, or the outcome is none that it offers. */
  respond(requestId: string, outcome: RequestOutcome): Reading | null {
    const decision = this.#desk.respond(requestId, outcome);
    return decision && this.#whole(this.#frames.decided(decision.asking, decision.allowed, decision.event));
  }

  /** The foreground was cancelled: what it asked is answered so (S132). Null when nothing was open. */
  cancelled(): Reading | null {
    const events = this.#desk.cancelForeground();
    return events.length === 0 ? null : only(events);
  }

  stopTarget(workloadId: string): StopTarget | null {
    return this.#frames.stopTarget(workloadId);
  }

  /** A child session that went idle asks nothing any more. */
  #orphaned(params: JsonObject): readonly RequestEvent[] {
    const update = objectAt(params, 'update');
    const sessionId = textAt(params, 'sessionId');
    const ended = update.sessionUpdate === 'state_update' && update.state === 'idle';
    return ended && sessionId !== undefined && sessionId !== this.#sessionId ? this.#desk.cancelOf(sessionId) : [];
  }

  #whole(reading: Reading): Reading {
    if (!this.#desk.isOpen) return reading;
    const moot = reading.facts.some(endsTurn) ? this.#desk.cancelForeground() : [];
    return moot.length === 0 ? reading : { ...reading, requests: [...reading.requests, ...moot] };
  }
}

function only(requests: readonly RequestEvent[]): Reading {
  return { facts: [], transcript: [], requests };
}
