import type { AgentConnection, AgentSink, OpenOptions, PromptReceipt, Reading, RequestOutcome } from '@vigil/acp';
import { type Fact, NO_TRAITS, type Traits } from '@vigil/liveness';

/** A promise that the test settles. */
export function deferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

/** A connection whose every answer the test gives. */
export class FakeConnection implements AgentConnection {
  readonly traits: Traits;
  readonly agentSessionId = 'agent-session';
  readonly protocolVersion = 1;
  readonly history = 'new';
  readonly pid = 1;
  readonly processStartTime = 'never';
  readonly sink: AgentSink;
  readonly prompts: {
    generation: number;
    text: string;
    answer(receipt: PromptReceipt): void;
    fail(error: Error): void;
  }[] = [];
  readonly responses: { id: string; outcome: RequestOutcome }[] = [];
  /** Told before a prompt is written. */
  onPrompt: (connection: FakeConnection) => void = () => undefined;
  cancels = 0;
  closes = 0;
  closeFails = false;

  constructor(sink: AgentSink, traits: Partial<Traits>) {
    this.sink = sink;
    this.traits = { ...NO_TRAITS, ...traits };
  }

  prompt(generation: number, text: string): Promise<PromptReceipt> {
    const receipt = deferred<PromptReceipt>();
    this.onPrompt(this);
    this.prompts.push({
      generation,
      text,
      answer: (value) => {
        if (value.accepted) this.says({ kind: 'prompt.accepted', generation });
        else this.says({ kind: 'prompt.rejected', generation });
        receipt.resolve(value);
      },
      fail: receipt.reject,
    });
    return receipt.promise;
  }

  /** Accepts the prompt that was written at this place. */
  accept(index: number): void {
    this.prompts[index]?.answer({ accepted: true });
  }

  /** One frame with these facts. */
  says(...facts: Fact[]): void {
    this.frame({ facts });
  }

  frame(reading: Partial<Reading>): void {
    this.sink.frame({ facts: [], transcript: [], requests: [], ...reading });
  }

  cancel(): void {
    this.cancels += 1;
  }

  respond(id: string, outcome: RequestOutcome): boolean {
    this.responses.push({ id, outcome });
    return true;
  }

  stopAnswer: Promise<{ stopped: boolean; reason: string | null }> = Promise.resolve({
    stopped: false,
    reason: 'not supported',
  });

  stop(): Promise<{ stopped: boolean; reason: string | null }> {
    return this.stopAnswer;
  }

  close(): Promise<void> {
    this.closes += 1;
    return this.closeFails ? Promise.reject(new Error('the process does not end')) : Promise.resolve();
  }
}

/** An `openAgent` that opens fakes at once, or when the test lets it. */
export class FakeAgents {
  readonly opened: FakeConnection[] = [];
  /** What ends each opening, and whatever waits on its execution. */
  readonly signals: AbortSignal[] = [];
  readonly #traits: Partial<Traits>;
  gate: Promise<void> = Promise.resolve();
  onPrompt: (connection: FakeConnection) => void = () => undefined;

  constructor(traits: Partial<Traits> = {}) {
    this.#traits = traits;
  }

  get last(): FakeConnection {
    const last = this.opened.at(-1);
    if (last === undefined) throw new Error('no agent was opened');
    return last;
  }

  readonly open = async (options: OpenOptions): Promise<AgentConnection> => {
    const { signal } = options;
    const aborted = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('the opening was given up')));
    });
    await Promise.race([this.gate, aborted]);
    signal?.throwIfAborted();
    if (signal !== undefined) this.signals.push(signal);
    const connection = new FakeConnection(options.sink, this.#traits);
    connection.onPrompt = this.onPrompt;
    this.opened.push(connection);
    return connection;
  };
}
