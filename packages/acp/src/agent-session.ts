import type { Fact, Generation, Traits } from '@vigil/liveness';
import type { Agreement } from './adapters/adapter.ts';
import { chooseAdapter } from './adapters/adapter-choice.ts';
import { isBusy } from './adapters/busy-answer.ts';
import { FrameReader } from './frame-reader.ts';
import { errorText } from './handshake.ts';
import { Opening } from './opening.ts';
import { AgentProcess } from './process/agent-process.ts';
import { InnerProcessWatch, isClaude } from './process/inner-process.ts';
import { OPEN_REQUESTS, type RefusedRequest, RequestDesk } from './requests/request-desk.ts';
import { SessionReader } from './session-reader.ts';
import type { AgentConnection, AgentExit, OpenOptions, PromptReceipt, Reading, RequestOutcome } from './types.ts';
import { FRAME_DROPS, type FrameDrop, FrameDropLog } from './wire/frame-drops.ts';
import type { JsonObject } from './wire/json.ts';
import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  JsonRpcPeer,
  METHOD_NOT_FOUND,
  type RequestId,
  type RpcAnswer,
} from './wire/json-rpc-peer.ts';

const GONE: PromptReceipt = { accepted: false, busy: false, message: 'the agent is gone' };

const REFUSALS = {
  unknown_method: [METHOD_NOT_FOUND, '"Method not found"'],
  bad_params: [INVALID_PARAMS, 'Invalid params'],
  too_many_requests: [INVALID_REQUEST, `${OPEN_REQUESTS} requests wait for an answer already`],
} as const;

/** One agent process with one conversation. Reads synchronously, in wire order. */
export class AgentSession implements AgentConnection {
  readonly #options: OpenOptions;
  readonly #peer: JsonRpcPeer;
  readonly #opening: Opening;
  readonly #drops: FrameDropLog;
  readonly #receipts = new Map<Generation, (receipt: PromptReceipt) => void>();
  #process: AgentProcess | null = null;
  #watch: InnerProcessWatch | null = null;
  #agreement: Agreement | null = null;
  #reader: SessionReader | null = null;
  #traits: Traits | null = null;
  #sessionId: string | null = null;
  #history: AgentConnection['history'] = 'new';
  #exit: AgentExit | null = null;
  /** What is read while the opening is under way reaches the sink once its caller has the connection. */
  #held: (() => void)[] | null = [];

  constructor(options: OpenOptions) {
    this.#options = options;
    this.#drops = new FrameDropLog((entry) => options.sink.log(entry));
    this.#peer = new JsonRpcPeer((line) => this.#process?.write(line) ?? false, {
      notified: (method, params) => this.#notified(method, params),
      requested: (id, method, params) => this.#requested(id, method, params),
      dropped: (why) => this.#drops.dropped(why),
    });
    this.#opening = new Opening(options, {
      request: (method, params, answered) => this.#peer.request(method, params, answered),
      agreed: (agreement) => this.#agreed(agreement),
      had: (sessionId, history) => this.#had(sessionId, history),
      exit: () => this.#exit,
      stderr: () => this.#process?.stderr() ?? '',
    });
  }

  get traits(): Traits {
    return opened(this.#traits);
  }

  get agentSessionId(): string {
    return opened(this.#sessionId);
  }

  get protocolVersion(): 1 | 2 {
    return opened(this.#agreement).protocolVersion;
  }

  get history(): AgentConnection['history'] {
    return this.#history;
  }

  get pid(): number {
    return opened(this.#process).pid;
  }

  get processStartTime(): string {
    return opened(this.#process).startTime;
  }

  async open(): Promise<void> {
    this.#process = await AgentProcess.start(this.#options.launch, {
      line: (text) => {
        this.#opening.frame();
        this.#peer.read(text);
      },
      dropped: (why) => this.#lost(why),
      gone: (exit) => this.#gone(exit),
      endBy: this.#options.endBy,
    });
    await this.#opening.run();
    if (this.#options.launch.provider === 'claude-acp') this.#watchClaude(this.#process);
    setImmediate(() => this.#release());
  }

  /** Makes an opening that is under way fail. */
  abort(why: string): void {
    this.#opening.abort(why);
  }

  prompt(generation: Generation, text: string): Promise<PromptReceipt> {
    if (this.#exit) return Promise.resolve(GONE);
    return new Promise((resolve) => {
      this.#receipts.set(generation, resolve);
      this.#reader?.written(generation);
      const params = { sessionId: this.agentSessionId, prompt: [{ type: 'text', text }] };
      this.#peer.request('session/prompt', params, (answer) => this.#answered(generation, answer));
    });
  }

  cancel(): void {
    this.#peer.notify('session/cancel', { sessionId: this.agentSessionId });
    this.#tell(this.#reader?.cancelled() ?? null);
  }

  respond(requestId: string, outcome: RequestOutcome): boolean {
    return this.#tell(this.#reader?.respond(requestId, outcome) ?? null);
  }

  stop(workloadId: string): Promise<{ readonly stopped: boolean; readonly reason: string | null }> {
    const target = this.#reader?.stopTarget(workloadId);
    if (!target) return Promise.resolve({ stopped: false, reason: 'this agent offers no way to stop it' });
    const { sessionId } = target;
    if (target.how === 'session') {
      this.#peer.notify('session/cancel', { sessionId });
      return Promise.resolve({ stopped: true, reason: null });
    }
    const [method, params] =
      target.how === 'terminal'
        ? ['terminal/cancel', { sessionId, terminalId: target.terminalId }]
        : ['tool_call/cancel', { sessionId, toolCallId: target.toolCallId }];
    return new Promise((resolve) => {
      this.#peer.request(method, params, (answer) =>
        resolve({ stopped: answer.ok, reason: answer.ok ? null : errorText(answer) }),
      );
    });
  }

  async close(): Promise<void> {
    this.#watch?.stop();
    await this.#process?.close();
  }

  /** Claude may die behind a bridge that lives on and says nothing (S9). */
  #watchClaude(process: AgentProcess): void {
    const gone = () => process.fail('Claude ended behind its bridge, which lives on');
    const found = () => this.#options.sink.log({ level: 'debug', message: 'found Claude behind its bridge' });
    this.#watch = new InnerProcessWatch({ members: () => process.members(), isIt: isClaude, gone, found });
    this.#watch.start();
  }

  #agreed(agreement: Agreement): void {
    const { launch, mockProvider, agentSessionId } = this.#options;
    this.#agreement = agreement;
    const malformed = (kind: string) => this.#drops.dropped('malformed_update', `a malformed ${kind}`);
    const adapter = chooseAdapter({
      provider: launch.provider,
      mockProvider,
      dialect: launch.env.MOCK_AGENT_DIALECT,
      agreement,
      malformed,
    });
    const salt = `${this.pid}-${this.processStartTime}`;
    const frames = new FrameReader({ adapter, salt, rootId: agentSessionId, malformed });
    this.#reader = new SessionReader(frames, new RequestDesk(this.#peer));
  }

  /** What follows this answer on the wire is evidence. */
  #had(sessionId: string, history: AgentConnection['history']): void {
    const reader = opened(this.#reader);
    this.#sessionId = sessionId;
    this.#history = history;
    this.#traits = reader.traits;
    this.#emit(reader.opened(sessionId));
  }

  #notified(method: string, params: JsonObject): void {
    this.#tell(this.#reader?.notified(method, params) ?? null);
  }

  #requested(id: RequestId, method: string, params: JsonObject): void {
    const reading = this.#reader?.requested(id, method, params) ?? 'unknown_method';
    if (typeof reading === 'string') this.#refuse(id, method, reading);
    else this.#emit(reading);
  }

  /** A line that could not be read may have been anything, also an end: the transcript says so. */
  #lost(why: FrameDrop): void {
    this.#drops.dropped(why);
    const message = `Dropped ${FRAME_DROPS[why]}: what the agent said in it is not known`;
    this.#emit({ facts: [], transcript: [{ type: 'lost', message }], requests: [] });
  }

  #refuse(id: RequestId, method: string, why: RefusedRequest): void {
    this.#drops.dropped(why);
    // An answer by an id that two requests bear could be taken for that of the other.
    if (why === 'duplicate_request_id') return;
    const [code, message] = REFUSALS[why];
    this.#peer.refuse(id, code, `${message}: ${method}`);
  }

  #answered(generation: Generation, answer: RpcAnswer): void {
    if (this.#exit || !this.#reader) return;
    this.#emit(this.#reader.answered(generation, answer), answer);
  }

  /** False when there is nothing to tell. */
  #tell(reading: Reading | null): boolean {
    if (reading) this.#emit(reading);
    return reading !== null;
  }

  #emit(reading: Reading, answer?: RpcAnswer): void {
    const { sink } = this.#options;
    const gained = this.#gained();
    this.#deliver(() => {
      if (gained) sink.traits?.(gained);
      sink.frame(reading);
      for (const fact of reading.facts) this.#receive(fact, answer);
    });
  }

  /** The traits when they are no longer those that were told. */
  #gained(): Traits | null {
    const traits = this.#traits === null ? null : (this.#reader?.traits ?? null);
    if (traits === null || traits === this.#traits) return null;
    this.#traits = traits;
    return traits;
  }

  #deliver(step: () => void): void {
    if (this.#held) this.#held.push(step);
    else step();
  }

  #release(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const step of held) step();
  }

  #receive(fact: Fact, answer: RpcAnswer | undefined): void {
    if (fact.kind === 'prompt.accepted') this.#receipt(fact.generation, { accepted: true });
    if (fact.kind !== 'prompt.rejected') return;
    const busy = answer !== undefined && isBusy(answer);
    this.#receipt(fact.generation, { accepted: false, busy, message: answer ? errorText(answer) : 'refused' });
  }

  #receipt(generation: Generation, receipt: PromptReceipt): void {
    this.#receipts.get(generation)?.(receipt);
    this.#receipts.delete(generation);
  }

  #gone(exit: AgentExit): void {
    this.#exit = exit;
    this.#watch?.stop();
    this.#peer.close('the agent is gone');
    this.#deliver(() => {
      this.#options.sink.gone(exit);
      for (const generation of [...this.#receipts.keys()]) this.#receipt(generation, GONE);
    });
  }
}

function opened<Value>(value: Value | null): Value {
  if (value === null) throw new Error('the connection is not open');
  return value;
}
