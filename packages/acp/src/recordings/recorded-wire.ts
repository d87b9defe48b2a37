import { type EndCause, type Generation, NO_TRAITS, type Traits } from '@vigil/liveness';
import type { Agreement, StopTarget } from '../adapters/adapter.ts';
import { chooseAdapter } from '../adapters/adapter-choice.ts';
import { FrameReader } from '../frame-reader.ts';
import { agreementOf } from '../handshake.ts';
import { RequestDesk } from '../requests/request-desk.ts';
import { SessionReader } from '../session-reader.ts';
import type { Reading, RequestOutcome } from '../types.ts';
import { type JsonObject, objectAt, textAt, valueAt } from '../wire/json.ts';
import { answerOf, JsonRpcPeer, type RequestId, type RpcAnswer } from '../wire/json-rpc-peer.ts';
import { noteOf, type RecordedLine } from './recorded-lines.ts';

/** What the recorded client did, as Vigil would have done it. */
export type Act =
  /** A process is started, or a conversation that was closed is had again, for a prompt that follows. */
  | { readonly act: 'opens' }
  /** The conversation is had. */
  | { readonly act: 'opened' }
  | { readonly act: 'prompts'; readonly generation: Generation }
  | { readonly act: 'cancels' }
  | { readonly act: 'stops'; readonly isTarget: (workloadId: string) => boolean }
  | { readonly act: 'ends'; readonly cause: EndCause };

/** One line of a recording, as it was read. */
export interface Step {
  readonly t: number;
  readonly frame: JsonObject;
  readonly reading: Reading;
  /** What the surface is taken for once this line was read. */
  readonly traits: Traits;
  readonly act?: Act;
}

export interface WireOptions {
  readonly provider: string;
  readonly mockProvider?: boolean;
}

const MALFORMED: RpcAnswer = { ok: false, code: 0, message: 'neither a result nor an error', data: null };
const NOTHING: Reading = { facts: [], transcript: [], requests: [] };
const CLOSES = /^(client closes stdin|bridge restart: stdin closed)/;
const GONE = /^(agent stdout (EOF|end)|bridge process exit)/;

interface Sent {
  readonly method: string;
  readonly generation: Generation;
  readonly sessionId: string;
}

/**
 * Reads the recorded lines of the first conversation in their order, as a live connection would: the recorded client
 * stands for ours. Prompts are generations 1, 2, … over all processes of the recording.
 */
export class RecordedWire {
  readonly #options: WireOptions;
  readonly #sent = new Map<unknown, Sent>();
  readonly #asked = new Map<unknown, string>();
  #agreement: Agreement | null = null;
  #reader: SessionReader | null = null;
  #rootId: string | null = null;
  /** Conversations beside the first one: another session's business. */
  readonly #foreign = new Set<string>();
  #generation: Generation = 0;
  #served = false;

  constructor(options: WireOptions) {
    this.#options = options;
  }

  /** `promised`: a prompt follows in this process, so a session would be starting. */
  read(line: RecordedLine, promised: boolean): Step | null {
    if (line.by === 'note') return this.#note(line);
    if (this.#isForeign(line.frame)) return null;
    return line.by === 'client' ? this.#client(line, promised) : this.#agent(line);
  }

  #step(line: RecordedLine, reading: Reading | null, act?: Act): Step {
    const traits = this.#reader?.traits ?? NO_TRAITS;
    return { t: line.t, frame: line.frame, reading: reading ?? NOTHING, traits, ...(act && { act }) };
  }

  #note(line: RecordedLine): Step | null {
    const note = noteOf(line);
    if (!this.#served || !(CLOSES.test(note) || GONE.test(note))) return null;
    return this.#ends(line, CLOSES.test(note) ? 'stopped' : 'crashed');
  }

  #ends(line: RecordedLine, cause: EndCause): Step {
    this.#reader = null;
    this.#served = false;
    return this.#step(line, null, { act: 'ends', cause });
  }

  #isForeign(frame: JsonObject): boolean {
    const sessionId = textAt(frame, 'params', 'sessionId');
    return sessionId !== undefined && this.#foreign.has(sessionId);
  }

  #client(line: RecordedLine, promised: boolean): Step | null {
    const { frame } = line;
    const method = textAt(frame, 'method');
    if (method === undefined) return this.#step(line, this.#decided(frame));
    const sessionId = textAt(frame, 'params', 'sessionId') ?? '';
    if (method === 'session/cancel') return this.#cancel(line, sessionId);
    const act = this.#asks(method, frame, promised);
    this.#sent.set(frame.id, { method, generation: this.#generation, sessionId });
    return act ? this.#step(line, null, act) : null;
  }

  /** A request of ours, before it is answered. */
  #asks(method: string, frame: JsonObject, promised: boolean): Act | null {
    switch (method) {
      case 'initialize':
        this.#reader = null;
        this.#served = promised;
        return promised ? { act: 'opens' } : null;
      case 'session/load':
      case 'session/resume':
        return this.#resumes(promised);
      case 'session/prompt':
        this.#generation += 1;
        this.#reader?.written(this.#generation);
        return { act: 'prompts', generation: this.#generation };
      case 'terminal/cancel':
        return this.#stops({ how: 'terminal', ...named(frame, 'terminalId') });
      case 'tool_call/cancel':
        return this.#stops({ how: 'tool', ...named(frame, 'toolCallId') });
      default:
        return null;
    }
  }

  #resumes(promised: boolean): Act | null {
    const again = !this.#served && promised;
    this.#served ||= promised;
    this.#begin();
    return again ? { act: 'opens' } : null;
  }

  #cancel(line: RecordedLine, sessionId: string): Step {
    if (sessionId !== this.#rootId) return this.#step(line, null, this.#stops({ how: 'session', sessionId }));
    return this.#step(line, this.#reader?.cancelled() ?? null, { act: 'cancels' });
  }

  #stops(target: StopTarget | Readonly<Record<string, string>>): Act {
    const wanted = JSON.stringify(Object.entries(target).sort());
    const reader = this.#reader;
    const isTarget = (workloadId: string) =>
      JSON.stringify(Object.entries(reader?.stopTarget(workloadId) ?? {}).sort()) === wanted;
    return { act: 'stops', isTarget };
  }

  #decided(frame: JsonObject): Reading | null {
    const request = this.#asked.get(frame.id);
    this.#asked.delete(frame.id);
    return request === undefined ? null : (this.#reader?.respond(request, outcomeOf(frame)) ?? null);
  }

  #agent(line: RecordedLine): Step | null {
    const { frame } = line;
    const method = textAt(frame, 'method');
    if (method === undefined) return this.#answer(line);
    if (!this.#reader) return null;
    const params = objectAt(frame, 'params');
    if ((frame.id ?? null) === null) return this.#step(line, this.#reader.notified(method, params));
    const requested = this.#reader.requested(frame.id as RequestId, method, params);
    const reading = typeof requested === 'string' ? null : requested;
    for (const event of reading?.requests ?? []) if (event.type === 'opened') this.#asked.set(frame.id, event.request.id);
    return this.#step(line, reading);
  }

  #answer(line: RecordedLine): Step | null {
    const { frame } = line;
    const sent = this.#sent.get(frame.id);
    if (!sent) return null;
    const answer = answerOf(frame) ?? MALFORMED;
    switch (sent.method) {
      case 'session/prompt':
        return this.#reader && this.#step(line, this.#reader.answered(sent.generation, answer));
      case 'session/close':
        // An agent that does not know the method goes on as before (recording qwen 03e).
        return this.#served && answer.ok ? this.#ends(line, 'stopped') : null;
      case 'initialize':
        this.#agreement = answer.ok ? agreementOf(answer.result) : null;
        this.#begin();
        return null;
      case 'session/new':
        return answer.ok ? this.#had(line, textAt(answer.result, 'sessionId') ?? '') : null;
      case 'session/load':
      case 'session/resume':
        return answer.ok ? this.#had(line, sent.sessionId) : null;
      default:
        return null;
    }
  }

  #had(line: RecordedLine, sessionId: string): Step | null {
    this.#rootId ??= sessionId;
    if (sessionId !== this.#rootId) {
      this.#foreign.add(sessionId);
      return null;
    }
    return this.#reader && this.#step(line, this.#reader.opened(sessionId), { act: 'opened' });
  }

  #begin(): void {
    if (!this.#agreement) return;
    const { provider, mockProvider = false } = this.#options;
    const adapter = chooseAdapter({ provider, mockProvider, agreement: this.#agreement });
    const frames = new FrameReader({ adapter, salt: 'recorded', rootId: this.#rootId });
    this.#reader = new SessionReader(frames, new RequestDesk(mute()));
  }
}

/** Answers of ours are in the recording already. */
function mute(): JsonRpcPeer {
  const ignore = () => undefined;
  return new JsonRpcPeer(() => true, { notified: ignore, requested: ignore, dropped: ignore });
}

function named(frame: JsonObject, key: string): Readonly<Record<string, string>> {
  return { sessionId: textAt(frame, 'params', 'sessionId') ?? '', [key]: textAt(frame, 'params', key) ?? '' };
}

function outcomeOf(frame: JsonObject): RequestOutcome {
  const optionId = textAt(frame, 'result', 'outcome', 'optionId');
  if (optionId !== undefined) return { optionId };
  const accepts = valueAt(frame, 'result', 'action') === 'accept';
  return accepts ? { answers: objectAt(frame, 'result', 'content') } : { cancelled: true };
}
