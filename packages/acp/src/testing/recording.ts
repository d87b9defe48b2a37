import { readFileSync } from 'node:fs';
import { type Fact, type Generation, NO_TRAITS, type Traits } from '@vigil/liveness';
import { chooseAdapter } from '../adapters/adapter-choice.ts';
import { FrameReader } from '../frame-reader.ts';
import { agreementOf } from '../handshake.ts';
import type { Reading } from '../types.ts';
import { isObject, type JsonObject, listAt, objectAt, parseFrame, textAt } from '../wire/json.ts';
import type { RpcAnswer } from '../wire/json-rpc-peer.ts';

/** One frame of the agent, and what it was read as. */
export interface Step {
  /** Milliseconds since the recording began. */
  readonly t: number;
  readonly frame: JsonObject;
  readonly reading: Reading;
  /** What the surface is taken for once this frame was read. */
  readonly traits: Traits;
  /** The client wrote this prompt; the step carries no facts. */
  readonly written?: Generation;
  /** The client cancelled the turn. */
  readonly cancelled?: true;
}

export interface ReadOptions {
  readonly provider: string;
  readonly mockProvider?: boolean;
  /** Resumed rather than begun: the conversation that the recording's later process takes up. */
  readonly resumes?: string;
}

/** Plays the recorded frames into an adapter as a live connection would, in their order. Prompts are generations 1, 2, … */
export function readRecording(file: string, options: ReadOptions): readonly Step[] {
  const player = new Player(options);
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const entry = parseFrame(line);
    if (!entry || entry.dir === 'meta') continue;
    player.play(Number(entry.t), entry.dir === 'client->agent', objectAt(entry, 'frame'));
  }
  return player.steps;
}

/** The facts of all steps, in order. */
export function factsOf(steps: readonly Step[]): readonly Fact[] {
  return steps.flatMap((step) => step.reading.facts);
}

const NOTHING: Reading = { facts: [], transcript: [], requests: [] };

class Player {
  readonly steps: Step[] = [];
  readonly #options: ReadOptions;
  readonly #sent = new Map<
    unknown,
    { readonly method: string; readonly generation: Generation; readonly sessionId: string }
  >();
  readonly #asked = new Map<unknown, JsonObject>();
  #reader: FrameReader | null = null;
  #generation: Generation = 0;

  constructor(options: ReadOptions) {
    this.#options = options;
  }

  play(t: number, ours: boolean, frame: JsonObject): void {
    const reading = ours ? this.#client(frame) : this.#agent(frame);
    const traits = this.#reader?.traits ?? NO_TRAITS;
    const method = ours ? textAt(frame, 'method') : undefined;
    if (method === 'session/prompt') this.steps.push({ t, frame, reading: NOTHING, traits, written: this.#generation });
    else if (method === 'session/cancel') this.steps.push({ t, frame, reading: NOTHING, traits, cancelled: true });
    else if (reading) this.steps.push({ t, frame, reading, traits });
  }

  #client(frame: JsonObject): Reading | null {
    const method = textAt(frame, 'method');
    if (method === undefined) return this.#decided(frame);
    if (frame.id === undefined) return null;
    if (method === 'session/prompt') {
      this.#generation += 1;
      this.#reader?.written(this.#generation);
    }
    this.#sent.set(frame.id, {
      method,
      generation: this.#generation,
      sessionId: textAt(frame, 'params', 'sessionId') ?? '',
    });
    return null;
  }

  #decided(frame: JsonObject): Reading | null {
    const request = this.#asked.get(frame.id);
    if (!request || !this.#reader) return null;
    const chosen = textAt(frame, 'result', 'outcome', 'optionId');
    const option = listAt(request, 'options').find((one) => textAt(one, 'optionId') === chosen);
    const allowed =
      (textAt(option, 'kind') ?? '').startsWith('allow') || textAt(frame, 'result', 'action') === 'accept';
    return this.#reader.decided(this.#reader.asking(request), allowed, { type: 'closed', id: String(frame.id) });
  }

  #agent(frame: JsonObject): Reading | null {
    const method = textAt(frame, 'method');
    const params = objectAt(frame, 'params');
    if (method === undefined) return this.#answer(frame);
    if (!this.#reader) return null;
    if (frame.id === undefined) return this.#reader.notified(method, params);
    this.#asked.set(frame.id, params);
    return this.#reader.asked(this.#reader.asking(params), { type: 'closed', id: String(frame.id) });
  }

  #answer(frame: JsonObject): Reading | null {
    const sent = this.#sent.get(frame.id);
    const answer = answerOf(frame);
    if (!sent) return null;
    if (sent.method === 'session/prompt') return this.#reader?.answered(sent.generation, answer) ?? null;
    if (!answer.ok) return null;
    if (sent.method === 'initialize') this.#begin(answer.result);
    if (sent.method === 'session/new') return this.#reader?.opened(textAt(answer.result, 'sessionId') ?? '') ?? null;
    return sent.method === 'session/load' || sent.method === 'session/resume'
      ? (this.#reader?.opened(sent.sessionId) ?? null)
      : null;
  }

  #begin(answer: JsonObject): void {
    const agreement = agreementOf(answer);
    const { provider, mockProvider = false, resumes = null } = this.#options;
    if (!agreement) return;
    this.#reader = new FrameReader({
      adapter: chooseAdapter({ provider, mockProvider, agreement }),
      salt: 'recorded',
      rootId: resumes,
    });
  }
}

function answerOf(frame: JsonObject): RpcAnswer {
  if (!isObject(frame.error)) return { ok: true, result: objectAt(frame, 'result') };
  const error = objectAt(frame, 'error');
  return { ok: false, code: Number(error.code), message: String(error.message), data: error.data };
}
