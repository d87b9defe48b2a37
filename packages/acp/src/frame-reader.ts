import type { Fact, Generation, Traits } from '@vigil/liveness';
import type { Adapter, Asker, Asking, SessionUpdate, StopTarget } from './adapters/adapter.ts';
import { errorText } from './handshake.ts';
import { openingSettings, TranscriptReader } from './transcript/transcript-reader.ts';
import { WakeNotes } from './transcript/wake-notes.ts';
import type { Reading, RequestEvent, TranscriptEvent } from './types.ts';
import { isObject, type JsonObject, objectAt, textAt } from './wire/json.ts';
import type { RpcAnswer } from './wire/json-rpc-peer.ts';

export interface FrameReaderOptions {
  readonly adapter: Adapter;
  /** Keeps ids that we make apart from those of another execution. */
  readonly salt: string;
  readonly rootId: string | null;
  /** An update of this kind was malformed and dropped (S123). */
  readonly malformed?: (kind: string) => void;
}

const NO_EVENTS: readonly TranscriptEvent[] = [];
const NOTHING: Reading = { facts: [], transcript: NO_EVENTS, requests: [] };

/** Reads the frames of one session in wire order: facts by the adapter, transcript by the protocol. */
export class FrameReader {
  readonly #adapter: Adapter;
  readonly #transcript: TranscriptReader;
  readonly #wakes = new WakeNotes();
  readonly #malformed: (kind: string) => void;
  #rootId: string | null;
  #live = false;
  /** The last state before the answer to a resume: how the session stands (S46). */
  #standing: SessionUpdate | null = null;

  constructor(options: FrameReaderOptions) {
    this.#adapter = options.adapter;
    this.#malformed = options.malformed ?? (() => undefined);
    this.#transcript = new TranscriptReader(options.salt);
    this.#rootId = options.rootId;
  }

  get traits(): Traits {
    return this.#adapter.traits;
  }

  /** The conversation is had: from now on frames are evidence. The answer by which it was may tell mode and model. */
  opened(rootId: string, answer: JsonObject = {}): Reading {
    this.#rootId = rootId;
    this.#live = true;
    const standing = this.#standing?.sessionId === rootId ? this.#standing : null;
    return this.#reading(standing ? this.#adapter.update(standing) : [], openingSettings(answer));
  }

  stopTarget(workloadId: string): StopTarget | null {
    return this.#adapter.stopTarget(workloadId);
  }

  notified(method: string, params: JsonObject): Reading {
    if (method === 'session/update') return this.#update(params);
    const session = params.sessionId;
    if (!this.#live || (session !== undefined && session !== this.#rootId)) return this.#reading([]);
    return this.#reading(this.#adapter.notified(method, params));
  }

  written(generation: Generation): void {
    this.#wakes.written(generation);
    this.#adapter.written(generation);
  }

  answered(generation: Generation, answer: RpcAnswer): Reading {
    const facts = this.#adapter.answered(generation, answer);
    // A prompt that was never taken goes back to its place with the error; of one that was, only this tells why.
    const failed = !answer.ok && facts.some((fact) => 'stopReason' in fact && fact.stopReason === 'error');
    return this.#reading(facts, failed ? [{ type: 'failure', message: errorText(answer) }] : []);
  }

  /** A request of the agent, with who asks (S132). */
  asking(body: JsonObject): Asking & Asker {
    const sessionId = textAt(body, 'sessionId') ?? this.#rootId ?? '';
    const call = isObject(body.subject) ? objectAt(body, 'subject', 'toolCall') : objectAt(body, 'toolCall');
    const toolCallId = textAt(call, 'toolCallId') ?? textAt(body, 'toolCallId');
    const asking: Asking = { sessionId, root: sessionId === this.#rootId, toolCallId, body };
    return { ...asking, ...this.#adapter.asker(asking) };
  }

  asked(asking: Asking, event: RequestEvent): Reading {
    return { ...this.#reading(this.#adapter.asked(asking)), requests: [event] };
  }

  decided(asking: Asking, allowed: boolean, event: RequestEvent): Reading {
    return { ...this.#reading(this.#adapter.decided(asking, allowed)), requests: [event] };
  }

  #update(params: JsonObject): Reading {
    const body = objectAt(params, 'update');
    const sessionId = textAt(params, 'sessionId') ?? '';
    const update: SessionUpdate = {
      sessionId,
      root: sessionId === this.#rootId,
      kind: textAt(body, 'sessionUpdate') ?? '',
      body,
    };
    if (isMalformed(update)) {
      this.#malformed(update.kind === '' ? 'update' : update.kind);
      return this.#reading([]);
    }
    const title = update.root && update.kind === 'session_info_update' ? textAt(body, 'title') : undefined;
    const transcript = this.#transcript.read(update, !this.#live);
    if (!this.#live) {
      this.#adapter.replayed(update);
      if (update.root && update.kind === 'state_update') this.#standing = update;
      return titled(this.#reading([], transcript), title);
    }
    return titled(this.#reading(this.#adapter.update(update), transcript), title);
  }

  #reading(facts: readonly Fact[], transcript: readonly TranscriptEvent[] = NO_EVENTS): Reading {
    // Most raw messages are about nothing that is kept.
    if (facts.length === 0) return transcript.length === 0 ? NOTHING : { ...NOTHING, transcript };
    if (facts.some(endsTurn)) this.#transcript.turnEnded();
    if (!this.#adapter.traits.agentCycles) return { facts, transcript, requests: [] };
    const wakes = this.#wakes.read(facts);
    if (wakes === null) return { facts, transcript, requests: [] };
    return { facts, transcript: [...wakes.before, ...transcript, ...wakes.after], requests: [] };
  }
}

/** It names no kind, or it is to tell a state and names none. */
function isMalformed({ kind, body }: SessionUpdate): boolean {
  return kind === '' || (kind === 'state_update' && textAt(body, 'state') === undefined);
}

function titled(reading: Reading, title: string | undefined): Reading {
  return title === undefined ? reading : { ...reading, title };
}

/** A fact after which the foreground's requests are moot and text begins anew. */
export function endsTurn(fact: Fact): boolean {
  if (fact.kind === 'rpc.settled' || fact.kind === 'cycle.closed') return true;
  return fact.kind === 'foreground' && fact.level === 'state' && fact.state === 'idle';
}
