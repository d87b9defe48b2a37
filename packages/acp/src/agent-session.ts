import type { Fact, Generation, Traits } from '@vigil/liveness';
import { chooseAdapter } from './adapters/adapter-choice.ts';
import type { Agreement } from './adapters/adapter.ts';
import { isBusy } from './adapters/busy-answer.ts';
import { AgentError } from './errors.ts';
import { endsTurn, FrameReader } from './frame-reader.ts';
import { agreementOf, type Asks, asksOf, authentication, errorText, initializeParams, isUnknownSession, resumption, sessionParams } from './handshake.ts';
import { AgentProcess } from './process/agent-process.ts';
import { RequestDesk } from './requests/request-desk.ts';
import { StartWatch } from './start-watch.ts';
import type { AgentConnection, AgentExit, OpenOptions, PromptReceipt, Reading, RequestEvent, RequestOutcome } from './types.ts';
import { type JsonObject, objectAt, textAt } from './wire/json.ts';
import { JsonRpcPeer, METHOD_NOT_FOUND, type RequestId, type RpcAnswer } from './wire/json-rpc-peer.ts';

const STDERR_SHOWN = 2_000;

/** One agent process with one conversation. Reads synchronously, in wire order. */
export class AgentSession implements AgentConnection {
  readonly #options: OpenOptions;
  readonly #asks: Asks;
  readonly #peer: JsonRpcPeer;
  readonly #desk: RequestDesk;
  readonly #watch: StartWatch;
  readonly #receipts = new Map<Generation, (receipt: PromptReceipt) => void>();
  #process: AgentProcess | null = null;
  #agreement: Agreement | null = null;
  #reader: FrameReader | null = null;
  #traits: Traits | null = null;
  #sessionId: string | null = null;
  #history: AgentConnection['history'] = 'new';
  #exit: AgentExit | null = null;

  constructor(options: OpenOptions) {
    this.#options = options;
    this.#asks = asksOf(options.launch, options.mockProvider);
    this.#watch = new StartWatch(options.startTimeoutMs);
    this.#peer = new JsonRpcPeer((line) => this.#process?.write(line) ?? false, {
      notified: (method, params) => this.#notified(method, params),
      requested: (id, method, params) => this.#requested(id, method, params),
      dropped: (why) => options.sink.log({ level: 'warn', message: `dropped ${why}` }),
    });
    this.#desk = new RequestDesk(this.#peer);
  }

  get traits(): Traits {
    return this.#opened(this.#traits);
  }

  get agentSessionId(): string {
    return this.#opened(this.#sessionId);
  }

  get protocolVersion(): 1 | 2 {
    return this.#opened(this.#agreement).protocolVersion;
  }

  get history(): AgentConnection['history'] {
    return this.#history;
  }

  get pid(): number {
    return this.#opened(this.#process).pid;
  }

  get processStartTime(): string {
    return this.#opened(this.#process).startTime;
  }

  async open(): Promise<void> {
    const { launch } = this.#options;
    const line = (text: string) => {
      this.#watch.frame();
      this.#peer.read(text);
    };
    this.#process = await AgentProcess.start(launch, { line, gone: (exit) => this.#gone(exit) });
    try {
      await this.#agree();
      await this.#converse();
    } finally {
      this.#watch.stop();
    }
  }

  /** Makes an opening that is under way fail. */
  abort(why: string): void {
    if (this.#sessionId === null) this.#watch.abort(why);
  }

  prompt(generation: Generation, text: string): Promise<PromptReceipt> {
    return new Promise((resolve) => {
      if (this.#exit) return resolve({ accepted: false, busy: false, message: 'the agent is gone' });
      this.#receipts.set(generation, resolve);
      this.#reader?.written(generation);
      const params = { sessionId: this.agentSessionId, prompt: [{ type: 'text', text }] };
      this.#peer.request('session/prompt', params, (answer) => this.#answered(generation, answer));
    });
  }

  cancel(): void {
    this.#peer.notify('session/cancel', { sessionId: this.agentSessionId });
    this.#close(this.#desk.cancelForeground());
  }

  respond(requestId: string, outcome: RequestOutcome): boolean {
    const decision = this.#desk.respond(requestId, outcome);
    if (!decision || !this.#reader) return false;
    this.#emit(this.#reader.decided(decision.asking, decision.allowed, decision.event));
    return true;
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
      this.#peer.request(method, params, (answer) => resolve({ stopped: answer.ok, reason: answer.ok ? null : errorText(answer) }));
    });
  }

  async close(): Promise<void> {
    await this.#process?.close();
  }

  // Opening ----------------------------------------------------------------------------------------------------------

  async #agree(): Promise<void> {
    const read = (answer: RpcAnswer) => this.#agreed(answer);
    const answer = await this.#call('initialize', initializeParams(2, this.#asks), read);
    if (answer.ok) return;
    const again = await this.#call('initialize', initializeParams(1, this.#asks), read);
    if (!again.ok) throw this.#failure('handshake_failed', `it refused to initialize: ${errorText(again)}`);
  }

  #agreed(answer: RpcAnswer): void {
    const agreement = answer.ok ? agreementOf(answer.result) : null;
    if (!agreement) return;
    const { launch, mockProvider, agentSessionId, sink } = this.#options;
    this.#agreement = agreement;
    const seen = new Set<string>();
    const malformed = (kind: string) => {
      if (!seen.has(kind)) sink.log({ level: 'warn', message: `dropped a malformed ${kind}; further ones are dropped in silence` });
      seen.add(kind);
    };
    const adapter = chooseAdapter({ provider: launch.provider, mockProvider, agreement, malformed });
    const salt = `${this.#process?.pid ?? 0}-${this.#process?.startTime ?? ''}`;
    this.#reader = new FrameReader({ adapter, salt, rootId: agentSessionId });
  }

  async #converse(): Promise<void> {
    const { agentSessionId: earlier, cwd } = this.#options;
    const agreement = this.#agreement;
    if (!agreement) throw this.#failure('handshake_failed', 'it speaks neither ACP v1 nor v2');
    const params = sessionParams(cwd, this.#asks);
    const method = earlier === null ? null : resumption(agreement);
    if (earlier !== null && method !== null) {
      const history = method === 'session/load' ? 'loaded' : 'resumed';
      const resumed = await this.#call(method, { sessionId: earlier, ...params }, (answer) => answer.ok && this.#had(earlier, history));
      if (resumed.ok) return;
      if (!isUnknownSession(resumed)) throw this.#failure('handshake_failed', `${method} failed: ${errorText(resumed)}`);
    }
    await this.#begin(params, agreement);
  }

  async #begin(params: JsonObject, agreement: Agreement): Promise<void> {
    const read = (answer: RpcAnswer) => {
      const id = answer.ok ? textAt(answer.result, 'sessionId') : undefined;
      if (id !== undefined) this.#had(id, 'new');
    };
    let answer = await this.#call('session/new', params, read);
    const authenticate = authentication(answer, agreement);
    if (authenticate) {
      const done = await this.#call('authenticate', authenticate);
      if (done.ok) answer = await this.#call('session/new', params, read);
    }
    if (this.#sessionId === null) throw this.#failure('handshake_failed', `session/new failed: ${errorText(answer) || 'no session id'}`);
  }

  /** Read while the answer's frame is: what follows it on the wire is evidence. */
  #had(sessionId: string, history: AgentConnection['history']): void {
    const reader = this.#opened(this.#reader);
    this.#sessionId = sessionId;
    this.#history = history;
    this.#traits = reader.traits;
    this.#emit(reader.opened(sessionId));
  }

  #call(method: string, params: JsonObject, read: (answer: RpcAnswer) => unknown = () => {}): Promise<RpcAnswer> {
    const answered = new Promise<RpcAnswer>((resolve) => {
      this.#peer.request(method, params, (answer) => {
        read(answer);
        resolve(answer);
      });
    });
    return Promise.race([answered, this.#watch.expired]).then((answer) => {
      if (typeof answer === 'string') throw this.#failure('start_timeout', answer);
      if (this.#exit && this.#sessionId === null) throw this.#failure('start_failed', 'it ended while it was being opened');
      return answer;
    });
  }

  #failure(code: 'start_failed' | 'start_timeout' | 'handshake_failed', cause: string): AgentError {
    const { command, args } = this.#options.launch;
    const exit = this.#exit;
    const ended = exit ? ` (${exit.signal ?? `exit code ${exit.code}`}${exit.reason ? `, ${exit.reason}` : ''})` : '';
    const stderr = (this.#process?.stderr() ?? '').trim().slice(-STDERR_SHOWN);
    return new AgentError(code, `"${[command, ...args].join(' ')}" could not be opened: ${cause}${ended}${stderr && `\n${stderr}`}`);
  }

  #opened<Value>(value: Value | null): Value {
    if (value === null) throw new Error('the connection is not open');
    return value;
  }

  // Reading ----------------------------------------------------------------------------------------------------------

  #notified(method: string, params: JsonObject): void {
    if (!this.#reader) return;
    if (method === '$/cancel_request') {
      const event = this.#desk.withdraw(params['requestId']);
      return this.#close(event ? [event] : []);
    }
    const reading = this.#reader.notified(method, params);
    this.#emit({ ...reading, requests: [...reading.requests, ...this.#orphaned(params)] });
  }

  /** A child session that went idle asks nothing any more. */
  #orphaned(params: JsonObject): readonly RequestEvent[] {
    const update = objectAt(params, 'update');
    const sessionId = textAt(params, 'sessionId');
    const ended = update['sessionUpdate'] === 'state_update' && update['state'] === 'idle';
    return ended && sessionId !== undefined && sessionId !== this.#sessionId ? this.#desk.cancelOf(sessionId) : [];
  }

  #requested(id: RequestId, method: string, params: JsonObject): void {
    const asking = this.#sessionId === null ? undefined : this.#reader?.asking(params);
    const event = asking && this.#desk.open(id, method, asking);
    if (!asking || !event || !this.#reader) return this.#peer.refuse(id, METHOD_NOT_FOUND, `"Method not found": ${method}`);
    this.#emit(this.#reader.asked(asking, event));
  }

  #answered(generation: Generation, answer: RpcAnswer): void {
    if (this.#exit || !this.#reader) return;
    this.#emit(this.#reader.answered(generation, answer), answer);
  }

  #close(requests: readonly RequestEvent[]): void {
    if (requests.length > 0) this.#emit({ facts: [], transcript: [], requests });
  }

  #emit(reading: Reading, answer?: RpcAnswer): void {
    const { sink } = this.#options;
    const traits = this.#reader?.traits ?? null;
    if (traits && JSON.stringify(traits) !== JSON.stringify(this.#traits)) {
      this.#traits = traits;
      sink.traits?.(traits);
    }
    const moot = reading.facts.some(endsTurn) ? this.#desk.cancelForeground() : [];
    sink.frame(moot.length === 0 ? reading : { ...reading, requests: [...reading.requests, ...moot] });
    for (const fact of reading.facts) this.#receive(fact, answer);
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
    const opened = this.#sessionId !== null;
    this.#peer.close('the agent is gone');
    if (opened) this.#options.sink.gone(exit);
    for (const generation of [...this.#receipts.keys()]) this.#receipt(generation, { accepted: false, busy: false, message: 'the agent is gone' });
  }
}
