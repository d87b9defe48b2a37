import type { RecordedLine } from '../recordings/recorded-lines.ts';
import type { JsonObject } from '../wire/json.ts';

export interface WireScriptOptions {
  readonly version: 1 | 2;
  /** What the client adds to its `initialize`. */
  readonly client?: JsonObject;
  /** What the agent adds to its answer. */
  readonly agent?: JsonObject;
}

/** A conversation that a test writes, as the recording of one: session `s` is had, and the rest is up to the test. */
export class WireScript {
  readonly lines: RecordedLine[] = [];
  readonly #version: 1 | 2;
  #t = 0;
  #id = 2;

  constructor({ version, client = {}, agent = {} }: WireScriptOptions) {
    this.#version = version;
    this.#line('client', { id: 0, method: 'initialize', params: { protocolVersion: version, ...client } });
    this.agent({ id: 0, result: { protocolVersion: version, ...agent } });
    this.#line('client', { id: 1, method: 'session/new', params: {} });
    this.agent({ id: 1, result: { sessionId: 's' } });
  }

  /** Writes a prompt; over v2 its receipt follows. Answers its id. */
  prompt(): number {
    const id = this.promptHeld();
    if (this.#version === 2) this.agent({ id, result: { messageId: `m${id}` } });
    return id;
  }

  /** Writes a prompt that is not taken up for now: its receipt is the test's to send. */
  promptHeld(): number {
    const id = this.#id;
    this.#id += 1;
    this.#line('client', { id, method: 'session/prompt', params: { sessionId: 's', prompt: [] } });
    return id;
  }

  /** The client cancels the turn. */
  cancel(): void {
    this.#line('client', { method: 'session/cancel', params: { sessionId: 's' } });
  }

  /** The turn of this prompt is over, as its version says it. */
  answer(id: number, stopReason = 'end_turn'): void {
    if (this.#version === 1) this.agent({ id, result: { stopReason } });
  }

  /** Lets time pass before the next line, in ms. */
  later(ms: number): void {
    this.#t += ms;
  }

  /** A frame that the agent writes. */
  agent(frame: JsonObject): void {
    this.#line('agent', frame);
  }

  /** An update of the session that the agent writes. */
  update(kind: string, body: JsonObject = {}, sessionId = 's'): void {
    this.agent({ method: 'session/update', params: { sessionId, update: { sessionUpdate: kind, ...body } } });
  }

  #line(by: 'client' | 'agent', frame: JsonObject): void {
    this.#t += 100;
    this.lines.push({ t: this.#t, by, frame, line: JSON.stringify(frame) });
  }
}
