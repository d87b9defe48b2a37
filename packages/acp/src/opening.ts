import type { Agreement } from './adapters/adapter.ts';
import { AgentError, type AgentErrorCode } from './errors.ts';
import {
  agreementOf,
  asksOf,
  authentication,
  errorText,
  initializeParams,
  isUnknownSession,
  resumption,
  sessionParams,
} from './handshake.ts';
import { StartWatch } from './start-watch.ts';
import type { AgentConnection, AgentExit, OpenOptions } from './types.ts';
import { type JsonObject, textAt } from './wire/json.ts';
import type { RpcAnswer } from './wire/json-rpc-peer.ts';

const STDERR_SHOWN = 2_000;

/** The side of the connection that an opening works on. `agreed` and `had` are told while the answer's frame is read. */
export interface OpeningHost {
  request(method: string, params: JsonObject, answered: (answer: RpcAnswer) => void): void;
  agreed(agreement: Agreement): void;
  /** `answer` is that of the request which had it: it may tell mode and model. */
  had(sessionId: string, history: AgentConnection['history'], answer: JsonObject): void;
  exit(): AgentExit | null;
  stderr(): string;
}

/** Agrees with a started agent on a protocol and has the conversation; rejects with an `AgentError` when it cannot. */
export class Opening {
  readonly #options: OpenOptions;
  readonly #host: OpeningHost;
  readonly #watch: StartWatch;
  #agreement: Agreement | null = null;
  #isHad = false;

  constructor(options: OpenOptions, host: OpeningHost) {
    this.#options = options;
    this.#host = host;
    this.#watch = new StartWatch(options.startTimeoutMs);
  }

  /** The agent gave a sign of life. */
  frame(): void {
    this.#watch.frame();
  }

  abort(why: string): void {
    this.#watch.abort(why);
  }

  async run(): Promise<void> {
    try {
      const agreement = await this.#agree();
      await this.#converse(agreement);
    } finally {
      this.#watch.stop();
    }
  }

  async #agree(): Promise<Agreement> {
    const asks = this.#asks();
    const read = (answer: RpcAnswer) => this.#agreed(answer);
    const answer = await this.#call('initialize', initializeParams(2, asks), read);
    const last = answer.ok ? answer : await this.#call('initialize', initializeParams(1, asks), read);
    if (!last.ok) throw this.#failure('handshake_failed', `it refused to initialize: ${errorText(last)}`);
    if (!this.#agreement) throw this.#failure('handshake_failed', 'it speaks neither ACP v1 nor v2');
    return this.#agreement;
  }

  #agreed(answer: RpcAnswer): void {
    const agreement = answer.ok ? agreementOf(answer.result) : null;
    if (!agreement) return;
    this.#agreement = agreement;
    this.#host.agreed(agreement);
  }

  async #converse(agreement: Agreement): Promise<void> {
    const { agentSessionId: earlier } = this.#options;
    const method = earlier === null ? null : resumption(agreement);
    if (earlier !== null && method !== null) {
      const history = method === 'session/load' ? 'loaded' : 'resumed';
      const params = { sessionId: earlier, ...this.#params() };
      const resumed = await this.#call(method, params, (answer) => {
        if (answer.ok) this.#had(earlier, history, answer.result);
      });
      if (resumed.ok) return;
      if (!isUnknownSession(resumed)) {
        throw this.#failure('handshake_failed', `${method} failed: ${errorText(resumed)}`);
      }
    }
    await this.#begin(agreement);
  }

  async #begin(agreement: Agreement): Promise<void> {
    const read = (answer: RpcAnswer) => {
      const id = answer.ok ? textAt(answer.result, 'sessionId') : undefined;
      if (answer.ok && id !== undefined) this.#had(id, 'new', answer.result);
    };
    let answer = await this.#call('session/new', this.#params(), read);
    const authenticate = authentication(answer, agreement);
    if (authenticate) {
      const done = await this.#call('authenticate', authenticate);
      if (done.ok) answer = await this.#call('session/new', this.#params(), read);
    }
    if (this.#isHad) return;
    throw this.#failure('handshake_failed', `session/new failed: ${errorText(answer) || 'no session id'}`);
  }

  #had(sessionId: string, history: AgentConnection['history'], answer: JsonObject): void {
    this.#isHad = true;
    this.#host.had(sessionId, history, answer);
  }

  #call(
    method: string,
    params: JsonObject,
    read: (answer: RpcAnswer) => unknown = () => undefined,
  ): Promise<RpcAnswer> {
    const answered = new Promise<RpcAnswer>((resolve) => {
      this.#host.request(method, params, (answer) => {
        read(answer);
        resolve(answer);
      });
    });
    return Promise.race([answered, this.#watch.expired]).then((answer) => {
      if (typeof answer === 'string') throw this.#failure('start_timeout', answer);
      if (this.#host.exit() && !this.#isHad) throw this.#failure('start_failed', 'it ended while it was being opened');
      return answer;
    });
  }

  #asks() {
    return asksOf(this.#options.launch, this.#options.mockProvider);
  }

  #params(): JsonObject {
    return sessionParams(this.#options.cwd, this.#asks());
  }

  #failure(code: AgentErrorCode, cause: string): AgentError {
    const { command, args } = this.#options.launch;
    const exit = this.#host.exit();
    const reason = exit?.reason ? `, ${exit.reason}` : '';
    const ended = exit ? ` (${exit.signal ?? `exit code ${exit.code}`}${reason})` : '';
    const stderr = this.#host.stderr().trim().slice(-STDERR_SHOWN);
    const said = stderr && `\n${stderr}`;
    return new AgentError(code, `"${[command, ...args].join(' ')}" could not be opened: ${cause}${ended}${said}`);
  }
}
