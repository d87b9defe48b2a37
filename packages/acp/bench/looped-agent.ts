import { type Fact, type Generation, Tracker, type Traits } from '@vigil/liveness';
import { chooseAdapter } from '../src/adapters/adapter-choice.ts';
import { FrameReader } from '../src/frame-reader.ts';
import { agreementOf } from '../src/handshake.ts';
import type { RecordedLine } from '../src/recordings/recorded-lines.ts';
import { RequestDesk } from '../src/requests/request-desk.ts';
import { SessionReader } from '../src/session-reader.ts';
import type { Reading } from '../src/types.ts';
import { type JsonObject, objectAt, textAt } from '../src/wire/json.ts';
import { JsonRpcPeer, type RpcAnswer } from '../src/wire/json-rpc-peer.ts';
import { LineSplitter } from '../src/wire/line-splitter.ts';

/** How far each line goes: read as a frame, as facts, decided. */
export type Through = 'tap' | 'normalise' | 'decide';

/** What the client wrote, and the bytes that the agent wrote before it wrote again. */
interface Turn {
  readonly client: RecordedLine | null;
  readonly chunks: readonly Buffer[];
}

const CHUNK = 64 * 1024;
const SESSION = 's';
const EXECUTION = 'e';
const RULES = { fine: false, reported: true, settleAfterMs: 2_000 };

/** Plays the one conversation of a recording again and again, each time as a new session. */
export class LoopedAgent {
  readonly #turns: readonly Turn[];

  constructor(lines: readonly RecordedLine[]) {
    const turns: { client: RecordedLine | null; texts: string[] }[] = [{ client: null, texts: [] }];
    for (const line of lines) {
      if (line.by === 'client') turns.push({ client: line, texts: [] });
      if (line.by === 'agent') turns.at(-1)?.texts.push(line.line);
    }
    this.#turns = turns.map(({ client, texts }) => ({ client, chunks: chunksOf(texts) }));
  }

  /** A new session, to be played once. */
  connect(through: Through): Connection {
    return new Connection(through);
  }

  play(connection: Connection): void {
    for (const { client, chunks } of this.#turns) {
      if (client !== null) connection.write(client.frame);
      for (const chunk of chunks) connection.read(chunk);
    }
  }
}

function chunksOf(texts: readonly string[]): readonly Buffer[] {
  const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''));
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK) chunks.push(bytes.subarray(at, at + CHUNK));
  return chunks;
}

/** The parts between a pipe and what a session shows, joined as `AgentSession` and the runtime join them. */
export class Connection {
  readonly #through: Through;
  readonly #peer: JsonRpcPeer;
  readonly #splitter: LineSplitter;
  readonly #tracker = new Tracker({ onChange: () => undefined, onDeadline: () => undefined });
  #reader: SessionReader | null = null;
  #traits: Traits | null = null;
  #claimed: Generation | null = null;

  constructor(through: Through) {
    this.#through = through;
    this.#peer = new JsonRpcPeer(() => true, {
      notified: (method, params) => {
        if (through !== 'tap' && this.#reader !== null) this.#take(this.#reader.notified(method, params));
      },
      requested: (id, method, params) => {
        if (through === 'tap' || this.#reader === null) return;
        const reading = this.#reader.requested(id, method, params);
        if (typeof reading !== 'string') this.#take(reading);
      },
      dropped: (why) => {
        throw new Error(`expected to read the whole recording, dropped a frame: ${why}`);
      },
    });
    this.#splitter = new LineSplitter({
      limit: 16 * 1024 * 1024,
      onLine: (line) => this.#peer.read(line),
      onDropped: () => undefined,
    });
    const fresh = { state: 'created', stopReason: null, error: null, unknown: false, created: true } as const;
    this.#tracker.apply({ type: 'session.loaded', sessionId: SESSION, at: 0, taskId: 't', rules: RULES, ...fresh });
  }

  read(chunk: Buffer): void {
    this.#splitter.push(chunk);
  }

  /** The recorded client numbers its requests as the peer does. */
  write(frame: JsonObject): void {
    const method = textAt(frame, 'method');
    if (method === undefined || frame.id === undefined) return;
    if (method === 'session/prompt') this.#prompt();
    this.#peer.request(method, objectAt(frame, 'params'), (answer) => this.#answered(method, answer));
  }

  #prompt(): void {
    if (this.#claimed === null) this.#claimed = this.#claim();
    const generation = this.#claimed;
    this.#reader?.written(generation);
    this.#tracker.apply({ type: 'prompt.dispatched', sessionId: SESSION, at: 0, generation });
  }

  #claim(): Generation {
    const claim = {
      type: 'prompt.claimed',
      sessionId: SESSION,
      at: 0,
      origin: 'human',
      executionId: EXECUTION,
    } as const;
    const claimed = this.#tracker.claim(claim);
    if (!claimed.granted) throw new Error(`expected to prompt, was refused: ${claimed.reason}`);
    return claimed.generation;
  }

  #answered(method: string, answer: RpcAnswer): void {
    if (!answer.ok) throw new Error(`expected ${method} to succeed, got ${answer.message}`);
    if (method === 'initialize') this.#agreed(answer.result);
    if (method === 'session/new') this.#opened(textAt(answer.result, 'sessionId') ?? '');
    const generation = this.#claimed;
    if (method === 'session/prompt' && generation !== null && this.#reader !== null)
      this.#take(this.#reader.answered(generation, answer));
  }

  #agreed(result: JsonObject): void {
    const agreement = agreementOf(result);
    if (agreement === null) throw new Error('expected a recording of ACP v1 or v2');
    const adapter = chooseAdapter({ provider: 'claude-acp', mockProvider: false, agreement });
    const frames = new FrameReader({ adapter, salt: 's', rootId: null });
    this.#reader = new SessionReader(frames, new RequestDesk(this.#peer));
  }

  #opened(sessionId: string): void {
    this.#claimed = this.#claim();
    if (this.#reader !== null) this.#take(this.#reader.opened(sessionId));
  }

  #take(reading: Reading | null): void {
    if (reading !== null && this.#through === 'decide') this.#decide(reading.facts);
  }

  #decide(facts: readonly Fact[]): void {
    const traits = this.#reader?.traits;
    if (traits && traits !== this.#traits) {
      this.#traits = traits;
      this.#tracker.apply({ type: 'execution.opened', sessionId: SESSION, at: 0, executionId: EXECUTION, traits });
    }
    if (facts.length === 0) return;
    this.#tracker.apply({ type: 'frame.received', sessionId: SESSION, at: 0, executionId: EXECUTION, facts });
  }
}
