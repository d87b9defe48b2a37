import { type Dialect, makeSurface } from './dialect.ts';
import type { Gates } from './gate.ts';
import type { HistoryStore } from './history.ts';
import { identity } from './identity.ts';
import { type Fields, isFields, pick, pickString } from './json.ts';
import { perform } from './performance.ts';
import { Session, type World } from './session.ts';
import { type Reply, RpcError, Wire } from './wire.ts';

/** What an agent needs from its process. */
export interface AgentOptions {
  readonly dialect: Dialect;
  readonly gates: Gates;
  readonly history: HistoryStore;
  readonly write: (line: string) => void;
}

/** Most sessions that are open at once. */
const SESSIONS = 200;

/** An ACP agent: reads frames, answers them, and plays the scripts of its prompts. */
export class Agent {
  readonly #options: AgentOptions;
  readonly #wire: Wire;
  readonly #sessions = new Map<string, Session>();
  #world: World | undefined;

  constructor(options: AgentOptions) {
    this.#options = options;
    this.#wire = new Wire(options.write, {
      request: (method, params, reply) => this.#request(method, params, reply),
      notify: (method, params) => this.#notify(method, params),
    });
  }

  /** Takes text from the client. */
  receive(text: string): void {
    this.#wire.receive(text);
  }

  /** The open sessions. */
  get sessions(): readonly Session[] {
    return [...this.#sessions.values()];
  }

  #request(method: string, params: Fields, reply: Reply): void {
    switch (method) {
      case 'initialize':
        reply(this.#initialize(params));
        return;
      case 'authenticate':
      case 'auth/login':
        reply({});
        return;
      case 'session/new':
        this.#create(params, reply);
        return;
      case 'session/load':
      case 'session/resume':
        this.#resume(method, params, reply);
        return;
      case 'session/list':
        reply({ sessions: this.#options.history.list() });
        return;
      case 'session/prompt':
        this.#prompt(params, reply);
        return;
      case 'session/close':
        this.#close(params, reply);
        return;
      case 'terminal/cancel':
      case 'tool_call/cancel':
        this.#stop(method, params, reply);
        return;
      default:
        throw new RpcError(-32601, `"Method not found": ${method}`, { method });
    }
  }

  #notify(method: string, params: Fields): void {
    if (method !== 'session/cancel') return;
    const sessionId = pickString(params, 'sessionId') ?? '';
    const session = this.#sessions.get(sessionId);
    if (session !== undefined) {
      session.cancel();
      return;
    }
    if (this.#world?.surface.childSessions === true) this.#cancelChild(sessionId);
  }

  #initialize(params: Fields): Fields {
    const { dialect, gates, history } = this.#options;
    const surface = makeSurface(dialect, this.#wire, params);
    const clients = surface.version === 2 ? 'capabilities' : 'clientCapabilities';
    const asksForms = isFields(pick(params, clients, 'elicitation', 'form'));
    this.#world = { surface, gates, history, wire: this.#wire, asksForms, perform };
    return surface.initialize();
  }

  #create(params: Fields, reply: Reply): void {
    const session = this.#open(identity.session(), params);
    this.#options.history.create(session.id, session.cwd);
    reply(session.world.surface.sessionResult(session));
    session.world.surface.opened(session, 'new');
  }

  #resume(method: 'session/load' | 'session/resume', params: Fields, reply: Reply): void {
    const world = this.#ready();
    if (method === 'session/load' && world.surface.version === 2)
      throw new RpcError(-32601, '"Method not found": session/load');
    const sessionId = pickString(params, 'sessionId') ?? '';
    const remembered = this.#options.history.find(sessionId);
    if (remembered === undefined) throw notFound(sessionId);
    const session = this.#sessions.get(sessionId) ?? this.#open(sessionId, params);
    const replays = method === 'session/load' || pick(params, 'replayFrom', 'type') === 'start';
    if (replays) world.surface.replay(session, remembered.entries);
    // What comes before the answer of a v1 load is history; in v2 the state belongs before it, as recorded.
    if (world.surface.version === 2) world.surface.opened(session, 'resumed');
    reply(world.surface.sessionResult(session));
    if (world.surface.version === 1) world.surface.opened(session, 'resumed');
  }

  #open(sessionId: string, params: Fields): Session {
    const world = this.#ready();
    if (this.#sessions.size >= SESSIONS) throw new RpcError(-32603, 'Too many sessions are open');
    const raw = pick(params, '_meta', 'claudeCode', 'emitRawSDKMessages') === true;
    const session = new Session(world, sessionId, { cwd: pickString(params, 'cwd') ?? process.cwd(), raw });
    this.#sessions.set(sessionId, session);
    return session;
  }

  #prompt(params: Fields, reply: Reply): void {
    const session = this.#find(params);
    const blocks = pick(params, 'prompt');
    if (!Array.isArray(blocks))
      throw new RpcError(-32602, 'Invalid params: expected prompt to be a list of content blocks');
    const text = blocks.map((block) => pickString(block, 'text') ?? '').join('\n');
    session.record({ kind: 'user', text, messageId: identity.uuid() });
    session.submit({ kind: 'human', text, reply });
  }

  #close(params: Fields, reply: Reply): void {
    const session = this.#find(params);
    session.close();
    this.#sessions.delete(session.id);
    reply({});
  }

  #stop(method: 'terminal/cancel' | 'tool_call/cancel', params: Fields, reply: Reply): void {
    if (this.#ready().surface.version === 1) throw new RpcError(-32601, `"Method not found": ${method}`);
    const session = this.#find(params);
    const [field, kind] =
      method === 'terminal/cancel' ? (['terminalId', 'shell'] as const) : (['toolCallId', 'monitor'] as const);
    const id = pickString(params, field) ?? '';
    const work = session.live.find((other) => other.toolCallId === id && other.kind === kind);
    if (work === undefined) {
      throw new RpcError(-32602, `Invalid params: ${id} is not running in the background, so it cannot be cancelled.`, {
        sessionId: session.id,
        [field]: id,
      });
    }
    // As recorded: a command that the client stopped wakes nobody.
    session.settle(work, 'killed', false);
    reply({});
  }

  #cancelChild(sessionId: string): void {
    for (const session of this.sessions) {
      for (const work of session.works.values()) {
        if (work.kind !== 'subagent' || work.taskId !== sessionId) continue;
        // As recorded: a subagent that the client stopped wakes its parent; a foreground one ends with its call.
        if (work.detached) session.settle(work, 'killed');
        else work.stop.abort();
      }
    }
  }

  #find(params: Fields): Session {
    this.#ready();
    const sessionId = pickString(params, 'sessionId') ?? '';
    const session = this.#sessions.get(sessionId);
    if (session === undefined) throw notFound(sessionId);
    return session;
  }

  #ready(): World {
    if (this.#world === undefined) throw new RpcError(-32600, 'Invalid request: expected initialize first');
    return this.#world;
  }
}

function notFound(sessionId: string): RpcError {
  return new RpcError(-32002, 'Resource not found', { sessionId });
}
