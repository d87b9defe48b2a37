import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import { type Fields, isFields, pick, pickString } from '../src/json.ts';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));

type Waiter = { readonly matches: (frame: Fields) => boolean; readonly resolve: (frame: Fields) => void };
type Answer = (method: string, params: Fields) => Fields;

/** How a test starts the agent. */
export interface MockOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly initialize?: Fields;
  readonly session?: Fields;
}

/** The real agent process, with every frame that it sent. */
export class MockProcess {
  readonly frames: Fields[] = [];
  readonly exited: Promise<number | null>;
  /** Answers the agent's own requests; the default allows. */
  answer: Answer = () => ({ outcome: { outcome: 'selected', optionId: 'allow-once' } });
  sessionId = '';
  stderr = '';
  readonly #child: ChildProcess;
  readonly #waiters = new Set<Waiter>();
  readonly #listeners = new Set<() => void>();
  #nextId = 1;
  #rest = '';

  constructor(dialect: string, env: Readonly<Record<string, string>> = {}, program = [inject('program')]) {
    this.#child = spawn(process.execPath, program, {
      cwd: PACKAGE,
      env: { ...process.env, MOCK_AGENT_DIALECT: dialect, ...env },
      stdio: 'pipe',
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#receive(text));
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
      for (const heard of this.#listeners) heard();
    });
    this.exited = new Promise((resolve) => {
      this.#child.on('exit', (code) => resolve(code));
    });
  }

  write(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  notify(method: string, params: Fields): void {
    this.write(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  /** Sends a request; resolves with the whole response. */
  request(method: string, params: Fields): Promise<Fields> {
    const id = this.#nextId++;
    const response = this.until((frame) => frame.id === id && frame.method === undefined);
    this.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return response;
  }

  prompt(...lines: readonly string[]): Promise<Fields> {
    const prompt = [{ type: 'text', text: lines.join('\n') }];
    return this.request('session/prompt', { sessionId: this.sessionId, prompt });
  }

  cancel(sessionId = this.sessionId): void {
    this.notify('session/cancel', { sessionId });
  }

  /** The first frame that matches, among those that came or will come. */
  until(matches: (frame: Fields) => boolean): Promise<Fields> {
    const found = this.frames.find(matches);
    if (found !== undefined) return Promise.resolve(found);
    return new Promise((resolve) => {
      this.#waiters.add({ matches, resolve });
    });
  }

  /** The first update of a kind that matches. */
  update(kind: string, matches: (update: Fields) => boolean = () => true): Promise<Fields> {
    return this.until(
      (frame) => pickString(frame, 'params', 'update', 'sessionUpdate') === kind && matches(updateOf(frame)),
    );
  }

  /** All updates so far, in order. */
  get updates(): readonly Fields[] {
    return this.frames.filter((frame) => frame.method === 'session/update').map(updateOf);
  }

  /** All text of the agent so far. */
  get text(): string {
    const chunks = this.updates.filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk');
    return chunks.map((update) => pickString(update, 'content', 'text') ?? '').join('');
  }

  says(text: string): Promise<Fields> {
    return this.update('agent_message_chunk', () => this.text.includes(text));
  }

  /** Resolves once the agent has written the text to its error output. */
  complains(text: string): Promise<void> {
    return new Promise((resolve) => {
      const heard = () => {
        if (this.stderr.includes(text)) resolve();
      };
      this.#listeners.add(heard);
      heard();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin?.end();
    await this.exited;
  }

  #receive(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#take(JSON.parse(line) as Fields);
  }

  #take(frame: Fields): void {
    this.frames.push(frame);
    if (typeof frame.method === 'string' && frame.id !== undefined) {
      const result = this.answer(frame.method, isFields(frame.params) ? frame.params : {});
      this.write(JSON.stringify({ jsonrpc: '2.0', id: frame.id, result }));
    }
    for (const waiter of this.#waiters) {
      if (!waiter.matches(frame)) continue;
      this.#waiters.delete(waiter);
      waiter.resolve(frame);
    }
  }
}

/** Starts the agent, shakes hands and opens a session. */
export async function startMock(dialect: string, options: MockOptions = {}): Promise<MockProcess> {
  const mock = new MockProcess(dialect, options.env);
  const v2: Fields = { protocolVersion: 2, info: { name: 'test', version: '1' }, capabilities: {} };
  const v1: Fields = { protocolVersion: 1, clientCapabilities: {}, clientInfo: { name: 'test', version: '1' } };
  await mock.request('initialize', { ...(dialect === 'acp-v2' ? v2 : v1), ...options.initialize });
  const opened = await mock.request('session/new', { cwd: PACKAGE, mcpServers: [], ...options.session });
  mock.sessionId = pickString(opened, 'result', 'sessionId') ?? '';
  return mock;
}

/** The update of a `session/update`. */
export function updateOf(frame: Fields): Fields {
  const update = pick(frame, 'params', 'update');
  return isFields(update) ? update : {};
}
