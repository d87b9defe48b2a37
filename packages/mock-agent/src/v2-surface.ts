import { sessionOptions } from './claude-result.ts';
import type { HistoryEntry } from './history.ts';
import type { Fields } from './json.ts';
import { type Outlet, PERMISSION_OPTIONS, type Speech, type Surface } from './surface.ts';
import type { Call, CallOutcome, Conversation, StopReason, Turn } from './turn.ts';
import { chunk, planEntry, type Target, terminals, textContent } from './v1-surface.ts';
import type { Work, WorkKind } from './work.ts';
import { childCall, launchCall, launchText } from './work-call.ts';

/** Generic ACP v2: honest states, and the list of background work on each. */
export class V2Surface implements Surface {
  readonly version = 2;
  readonly childSessions = true;
  readonly handsOff = true;
  readonly #outlet: Outlet;
  readonly #states = new WeakMap<Conversation, State>();

  constructor(outlet: Outlet) {
    this.#outlet = outlet;
  }

  initialize(): Fields {
    return {
      protocolVersion: 2,
      info: { name: 'vigil-mock-agent', title: 'Mock agent', version: '0.1.0' },
      capabilities: { session: { prompt: { embeddedContext: {} }, mcp: { stdio: {}, http: {} } } },
      authMethods: [],
    };
  }

  sessionResult(session: Conversation): Fields {
    const { configOptions } = sessionOptions();
    const options = Array.isArray(configOptions) ? configOptions : [];
    return { sessionId: session.id, configOptions: options.map(({ id, ...option }) => ({ ...option, configId: id })) };
  }

  opened(session: Conversation, how: 'new' | 'resumed'): void {
    if (how === 'resumed') this.#report(session, this.#state(session));
  }

  replay(session: Conversation, history: readonly HistoryEntry[]): void {
    for (const entry of history) this.#replayEntry(session, entry);
  }

  queued(_turn: Turn): void {}

  began(turn: Turn): void {
    const { session, origin, messageId } = turn;
    if (origin.kind === 'human') {
      const content = [{ type: 'text', text: origin.text }];
      this.#update(session, { sessionUpdate: 'user_message', messageId, content });
      origin.reply({ messageId });
    }
    this.#report(session, 'running');
  }

  idled(turn: Turn): void {
    this.#report(turn.session, 'idle', 'end_turn');
  }

  ended(turn: Turn, stopReason: StopReason): void {
    const { active } = turn.session;
    if (active !== undefined && active !== turn) return;
    if (this.#state(turn.session) !== 'idle') this.#report(turn.session, 'idle', stopReason);
  }

  said(turn: Turn, { kind, text, messageId }: Speech): void {
    this.#work(turn);
    const update = kind === 'message' ? 'agent_message_chunk' : 'agent_thought_chunk';
    this.#update(turn.session, { ...chunk(update, text), messageId });
  }

  planned(turn: Turn, entries: readonly string[]): void {
    this.#work(turn);
    const plan: Fields = { type: 'items', planId: 'plan', entries: entries.map(planEntry) };
    this.#update(turn.session, { sessionUpdate: 'plan_update', plan });
  }

  callOpened(turn: Turn, call: Call): void {
    this.#work(turn);
    if (call.tool === 'Bash') this.#terminal(turn.session, { terminalId: call.id });
    this.#call(turn.session, call.id, { ...head(call), rawInput: {}, status: 'pending' });
    if (call.tool === 'Bash') this.#terminal(turn.session, { terminalId: call.id, command: call.title });
    this.#call(turn.session, call.id, { rawInput: call.input, title: call.title });
  }

  callClosed(turn: Turn, call: Call, outcome: CallOutcome): void {
    this.#work(turn);
    this.#close(turn.session, call, outcome);
  }

  awaitedUser(turn: Turn, waits: boolean): void {
    this.#report(turn.session, waits ? 'requires_action' : 'running');
  }

  permission(turn: Turn, call: Call): Fields {
    const toolCall: Fields = { toolCallId: call.id, ...head(call), rawInput: call.input };
    const subject: Fields = { type: 'tool_call', toolCall };
    return { sessionId: turn.session.id, title: call.title, subject, options: PERMISSION_OPTIONS };
  }

  launched(turn: Turn, work: Work): void {
    this.#work(turn);
    if (work.kind === 'subagent') this.#announce(turn.session, work);
    else this.#detach(turn, work);
    if (work.detached) this.#report(turn.session, 'running');
  }

  returned(turn: Turn, work: Work): void {
    for (let time = 0; time < terminals(work); time++) this.#endSubagent(turn.session, work);
  }

  finished(session: Conversation, work: Work): void {
    for (let time = 0; time < terminals(work); time++) this.#end(session, work);
    this.#report(session, this.#state(session));
  }

  dies(_kind: WorkKind): boolean {
    return false;
  }

  #end(session: Conversation, work: Work): void {
    switch (work.kind) {
      case 'subagent':
        this.#endSubagent(session, work);
        return;
      case 'monitor':
        this.#call(session, work.toolCallId, {
          status: work.status === 'killed' ? 'cancelled' : work.status,
          capabilities: null,
        });
        return;
      case 'shell': {
        const exitStatus: Fields = work.status === 'killed' ? { signal: 'SIGTERM' } : { exitCode: work.exitCode };
        this.#terminal(session, { terminalId: work.toolCallId, exitStatus, capabilities: null });
        return;
      }
    }
  }

  #announce(session: Conversation, work: Work): void {
    const child = { id: work.taskId };
    const capabilities: Fields = { cancel: {} };
    const state: Fields = { state: 'running', background: [] };
    const card: Fields = { title: work.name, description: 'general-purpose', capabilities, state };
    this.#update(session, { sessionUpdate: 'subagent_update', sessionId: work.taskId, ...card });
    this.#update(child, { sessionUpdate: 'state_update', ...state });
    const call = childCall(work);
    this.#terminal(child, { terminalId: call.id, command: call.title });
    this.#call(child, call.id, { ...head(call), rawInput: call.input, status: 'pending' });
  }

  #endSubagent(session: Conversation, work: Work): void {
    const child = { id: work.taskId };
    const done = work.status === 'completed';
    this.#close(child, childCall(work), { status: done ? 'completed' : 'failed', output: done ? 'done' : 'cancelled' });
    const stopReason = done ? 'end_turn' : 'cancelled';
    const state: Fields = { state: 'idle', stopReason, background: [] };
    this.#update(session, { sessionUpdate: 'subagent_update', sessionId: work.taskId, state });
    this.#update(child, { sessionUpdate: 'state_update', ...state });
  }

  #detach(turn: Turn, work: Work): void {
    const call = launchCall(work);
    this.callOpened(turn, call);
    const capabilities: Fields = { cancel: {} };
    // A shell goes on as its terminal; of a monitor only the call itself is left to list.
    if (work.kind === 'monitor') {
      this.#call(turn.session, call.id, { status: 'in_progress', capabilities });
      return;
    }
    this.#terminal(turn.session, { terminalId: call.id, output: { data: base64(launchText(work)) } });
    this.#call(turn.session, call.id, { status: 'completed' });
    this.#terminal(turn.session, { terminalId: call.id, command: work.name, capabilities });
  }

  #close(session: Target, call: Call, { status, output }: CallOutcome): void {
    if (call.tool === 'Bash') {
      this.#terminal(session, { terminalId: call.id, output: { data: base64(output) } });
      const exitStatus: Fields = status === 'completed' ? { exitCode: 0 } : {};
      this.#terminal(session, { terminalId: call.id, exitStatus });
      this.#call(session, call.id, { status });
      return;
    }
    this.#call(session, call.id, { status, rawOutput: output, content: textContent(output) });
  }

  #replayEntry(session: Conversation, entry: HistoryEntry): void {
    if (entry.kind === 'call') {
      this.#replayCall(session, entry);
      return;
    }
    const { messageId, text } = entry;
    const content = [{ type: 'text', text }];
    if (entry.kind === 'user') {
      this.#update(session, { sessionUpdate: 'user_message', messageId, content });
      return;
    }
    const name = entry.kind === 'message' ? 'agent_message' : 'agent_thought';
    this.#update(session, { ...chunk(`${name}_chunk`, text), messageId });
  }

  #replayCall(session: Conversation, entry: Extract<HistoryEntry, { kind: 'call' }>): void {
    const { id, title, tool: name, toolKind: kind, input: rawInput, status, output } = entry;
    const content = textContent(output);
    this.#call(session, id, { name, rawInput, status, title, kind, content });
  }

  /** Output after the idle boundary shows the agent at work again. */
  #work(turn: Turn): void {
    if (this.#state(turn.session) === 'idle') this.#report(turn.session, 'running');
  }

  #state(session: Conversation): State {
    return this.#states.get(session) ?? 'idle';
  }

  #report(session: Conversation, state: State, stopReason?: StopReason): void {
    this.#states.set(session, state);
    const end: Fields = stopReason === undefined ? {} : { stopReason };
    const background = session.live.map(item);
    this.#update(session, { sessionUpdate: 'state_update', state, ...end, background });
  }

  #terminal(session: Target, fields: Fields): void {
    this.#update(session, { sessionUpdate: 'terminal_update', ...fields });
  }

  #call(session: Target, toolCallId: string, fields: Fields): void {
    this.#update(session, { toolCallId, ...fields, sessionUpdate: 'tool_call_update' });
  }

  #update(session: Target, update: Fields): void {
    this.#outlet.notify('session/update', { sessionId: session.id, update });
  }
}

type State = 'running' | 'requires_action' | 'idle';

function item(work: Work): Fields {
  switch (work.kind) {
    case 'shell':
      return { type: 'terminal', terminalId: work.toolCallId };
    case 'subagent':
      return { type: 'subagent', sessionId: work.taskId };
    case 'monitor':
      return { type: 'tool_call', toolCallId: work.toolCallId };
  }
}

function head(call: Call): Fields {
  const content = call.tool === 'Bash' ? [{ type: 'terminal', terminalId: call.id }] : [];
  return { name: call.tool, title: call.title, kind: call.kind, content };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
