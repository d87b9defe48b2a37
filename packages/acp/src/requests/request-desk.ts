import type { Asker, Asking } from '../adapters/adapter.ts';
import type { AgentRequest, RequestEvent, RequestOutcome } from '../types.ts';
import type { FrameDrop } from '../wire/frame-drops.ts';
import { isObject, type JsonObject, listAt, objectAt, textAt } from '../wire/json.ts';
import { type JsonRpcPeer, REQUEST_CANCELLED, type RequestId } from '../wire/json-rpc-peer.ts';

interface Pending {
  readonly request: AgentRequest;
  readonly rpcId: RequestId;
  readonly asking: Asking;
}

/** Why a request of the agent is not taken in. */
export type RefusedRequest = Extract<
  FrameDrop,
  'unknown_method' | 'bad_params' | 'duplicate_request_id' | 'too_many_requests'
>;

/** An answer as it went out, for the adapter. */
export interface Decision {
  readonly asking: Asking;
  readonly allowed: boolean;
  readonly event: RequestEvent;
}

/** Most requests that may wait at once: more than any person answers, and few enough to be shown with each change. */
export const OPEN_REQUESTS = 64;

/** Requests of the agent that wait for a person (S132). */
export class RequestDesk {
  readonly #peer: JsonRpcPeer;
  readonly #pending = new Map<string, Pending>();
  #made = 0;

  constructor(peer: JsonRpcPeer) {
    this.#peer = peer;
  }

  /** True while something waits for an answer. */
  get isOpen(): boolean {
    return this.#pending.size > 0;
  }

  /** Takes in a permission or an elicitation; else why it is dropped. */
  open(rpcId: RequestId, method: string, asking: Asking & Asker): RequestEvent | RefusedRequest {
    const described =
      method === 'session/request_permission'
        ? permission(asking)
        : method === 'elicitation/create'
          ? clarification(asking)
          : null;
    if (!described) return 'unknown_method';
    if (this.#pending.size >= OPEN_REQUESTS) return 'too_many_requests';
    if (described.kind === 'permission' && described.options.length === 0) return 'bad_params';
    if ([...this.#pending.values()].some((pending) => pending.rpcId === rpcId)) return 'duplicate_request_id';
    this.#made += 1;
    const id = `request-${this.#made}`;
    const request = { id, askedBy: asking.askedBy, background: asking.background, ...described };
    this.#pending.set(id, { request, rpcId, asking });
    return { type: 'opened', request };
  }

  /** Answers; null when it is not open, or when the outcome is none that it offers. */
  respond(id: string, outcome: RequestOutcome): Decision | null {
    const pending = this.#pending.get(id);
    const answer = pending ? answerTo(pending.request, outcome) : null;
    if (!pending || !answer) return null;
    this.#pending.delete(id);
    this.#peer.answer(pending.rpcId, answer.result);
    return { asking: pending.asking, allowed: answer.allowed, event: { type: 'closed', id } };
  }

  /** The agent withdrew its request. */
  withdraw(rpcId: unknown): RequestEvent | null {
    for (const [id, pending] of this.#pending) {
      if (pending.rpcId !== rpcId) continue;
      this.#pending.delete(id);
      this.#peer.refuse(pending.rpcId, REQUEST_CANCELLED, 'withdrawn');
      return { type: 'closed', id };
    }
    return null;
  }

  /** Answers all of the foreground as cancelled; those of background children stay (S132). */
  cancelForeground(): readonly RequestEvent[] {
    return [...this.#pending.values()].flatMap(({ request }) => {
      const decision = request.background ? null : this.respond(request.id, { cancelled: true });
      return decision ? [decision.event] : [];
    });
  }

  /** The child session ended: what it asked is moot. */
  cancelOf(sessionId: string): readonly RequestEvent[] {
    return [...this.#pending.values()].flatMap(({ request, asking }) => {
      const decision = asking.sessionId === sessionId ? this.respond(request.id, { cancelled: true }) : null;
      return decision ? [decision.event] : [];
    });
  }
}

type Described = Omit<AgentRequest, 'id' | 'askedBy' | 'background'>;

function permission({ body }: Asking): Described {
  const call = isObject(body.subject) ? objectAt(body, 'subject', 'toolCall') : objectAt(body, 'toolCall');
  const options = listAt(body, 'options').flatMap((option) => {
    const id = textAt(option, 'optionId');
    if (id === undefined) return [];
    return [{ id, kind: textAt(option, 'kind') ?? 'other', label: textAt(option, 'name') ?? id }];
  });
  const title = textAt(body, 'title') ?? textAt(call, 'title') ?? 'Permission';
  return { kind: 'permission', title, detail: textAt(body, 'description') ?? detailOf(call), options, schema: null };
}

function detailOf(call: JsonObject): string | null {
  const input = call.rawInput;
  if (!isObject(input)) return null;
  return textAt(input, 'command') ?? JSON.stringify(input, null, 2);
}

function clarification({ body }: Asking): Described {
  return {
    kind: 'clarification',
    title: textAt(body, 'message') ?? 'Question',
    detail: textAt(body, 'url') ?? null,
    options: [],
    schema: body.requestedSchema ?? null,
  };
}

function answerTo(
  request: AgentRequest,
  outcome: RequestOutcome,
): { readonly result: JsonObject; readonly allowed: boolean } | null {
  const isPermission = request.kind === 'permission';
  if ('cancelled' in outcome) {
    return { result: isPermission ? { outcome: { outcome: 'cancelled' } } : { action: 'cancel' }, allowed: false };
  }
  if ('answers' in outcome)
    return isPermission ? null : { result: { action: 'accept', content: outcome.answers }, allowed: true };
  const option = request.options.find((one) => one.id === outcome.optionId);
  if (!option) return null;
  return {
    result: { outcome: { outcome: 'selected', optionId: option.id } },
    allowed: option.kind.startsWith('allow'),
  };
}
