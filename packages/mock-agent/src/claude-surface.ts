import { acknowledgement, handBack, shellResult, summarise } from './claude-response.ts';
import { closingUsage, quota, REQUEST_COST, requestUsage, sessionOptions, usage } from './claude-result.ts';
import type { HistoryEntry } from './history.ts';
import { type Fields, isFields, pick } from './json.ts';
import type { Outlet } from './surface.ts';
import type { Call, CallOutcome, Conversation, StopReason, Turn } from './turn.ts';
import { type Target, terminals, textContent, V1Surface } from './v1-surface.ts';
import type { Work, WorkKind } from './work.ts';
import { childCall, launchCall, launchText } from './work-call.ts';

/**
 * Claude over ACP v1: launches are attested; ends by the usage update that closes a wake, and by name for a client that
 * asked for child sessions (`subagents`), or for terminals in the metadata of calls (`terminal_output`).
 */
export class ClaudeSurface extends V1Surface {
  override readonly handsOff = true;
  override readonly childSessions: boolean;
  readonly #terminals: boolean;

  constructor(outlet: Outlet, client: Fields) {
    super(outlet);
    this.childSessions = isFields(pick(client, 'clientCapabilities', 'subagents'));
    this.#terminals = pick(client, 'clientCapabilities', '_meta', 'terminal_output') === true;
  }

  override initialize(): Fields {
    return {
      protocolVersion: 1,
      agentCapabilities: {
        _meta: { claudeCode: { promptQueueing: true }, authStatus: {} },
        promptCapabilities: { image: true, embeddedContext: true },
        mcpCapabilities: { http: true, sse: true },
        loadSession: true,
        sessionCapabilities: { close: {}, list: {}, resume: {} },
      },
      agentInfo: { name: 'vigil-mock-agent', title: 'Mock agent', version: '0.101.0' },
      authMethods: [],
      _meta: { steering: { supported: false } },
    };
  }

  override sessionResult(session: Conversation): Fields {
    return { sessionId: session.id, ...sessionOptions() };
  }

  override opened(session: Conversation, how: 'new' | 'resumed'): void {
    if (how === 'new') this.update(session, { sessionUpdate: 'available_commands_update', availableCommands: [] });
  }

  override began(turn: Turn): void {
    turn.session.cost += REQUEST_COST;
    this.update(turn.session, requestUsage());
  }

  override idled(turn: Turn): void {
    this.closeCycle(turn, 'end_turn');
  }

  override ended(turn: Turn, stopReason: StopReason): void {
    const { active } = turn.session;
    const succeeded = active !== undefined && active !== turn;
    // What a cycle says after its boundary closes it again, unless another cycle has the foreground: it would be closed instead.
    if (!turn.yielded || (turn.spoke && !succeeded)) this.closeCycle(turn, stopReason);
    if (turn.origin.kind === 'human') turn.origin.reply({ stopReason, usage: usage(), _meta: quota() });
  }

  override callOpened(turn: Turn, call: Call): void {
    this.#open(turn.session, call);
    const content = this.#inTerminal(call) ? {} : { content: textContent(summarise(call)) };
    const title = call.tool === 'Monitor' ? {} : { title: call.title, ...content };
    this.#touch(turn.session, call, { rawInput: call.input, ...title });
  }

  override callClosed(turn: Turn, call: Call, outcome: CallOutcome): void {
    this.#close(turn.session, call, outcome);
  }

  override permission(turn: Turn, call: Call): Fields {
    const params = super.permission(turn, call);
    const shown: Fields = this.#inTerminal(call) ? { content: [{ type: 'terminal', terminalId: call.id }] } : {};
    return { ...params, toolCall: { ...(params.toolCall as Fields), ...shown, name: call.tool } };
  }

  override launched(turn: Turn, work: Work): void {
    if (work.kind === 'subagent' && this.childSessions) {
      this.#announce(turn.session, work);
      return;
    }
    const call = launchCall(work);
    this.callOpened(turn, call);
    if (work.detached) {
      this.#touch(turn.session, call, { meta: { toolResponse: acknowledgement(work) } });
      this.#close(turn.session, call, { status: 'completed', output: launchText(work) });
    }
    if (work.kind === 'subagent') this.#child(turn.session, work);
  }

  override returned(turn: Turn, work: Work): void {
    if (this.childSessions) {
      for (let time = 0; time < terminals(work); time++) this.#endChild(turn.session, work);
      return;
    }
    const status = work.status === 'completed' ? 'completed' : 'failed';
    this.#closeChild(turn.session, work);
    const report = `Final report of ${work.name}.`;
    for (let time = 0; time < terminals(work); time++) {
      if (status === 'completed') {
        this.#touch(turn.session, launchCall(work), { meta: { toolResponse: handBack(work, report) } });
      }
      this.#close(turn.session, launchCall(work), { status, output: report });
    }
  }

  override finished(session: Conversation, work: Work): void {
    if (work.kind === 'subagent') this.#endChild(session, work);
    if (work.kind === 'shell' && this.#terminals) this.#exit(session, work);
  }

  override dies(kind: WorkKind): boolean {
    return kind === 'subagent' && !this.childSessions;
  }

  protected override replayCall(session: Conversation, entry: Extract<HistoryEntry, { kind: 'call' }>): void {
    const { id, title, tool, input } = entry;
    const kind = entry.toolKind === 'think' || entry.toolKind === 'other' ? entry.toolKind : 'execute';
    const call: Call = { id, title, tool, kind, input };
    this.#open(session, call, { rawInput: input, title, content: textContent(summarise(call)) });
    this.#close(session, call, entry);
  }

  /** Sends the usage update that closes a cycle; twice for a duplicated wake. */
  protected closeCycle(turn: Turn, _stopReason: StopReason): void {
    const times = turn.origin.kind === 'wake' ? terminals(turn.origin.work) : 1;
    for (let time = 0; time < times; time++) this.update(turn.session, closingUsage(turn.session.cost, origin(turn)));
  }

  #inTerminal(call: Call): boolean {
    return this.#terminals && call.tool === 'Bash';
  }

  #open(session: Conversation, call: Call, fields: Fields = {}): void {
    const terminal = this.#inTerminal(call);
    this.update(session, {
      _meta: { claudeCode: { toolName: call.tool }, ...(terminal && { terminal_info: { terminal_id: call.id } }) },
      toolCallId: call.id,
      sessionUpdate: 'tool_call',
      name: call.tool,
      rawInput: {},
      status: 'pending',
      title: PENDING_TITLES[call.tool] ?? call.tool,
      kind: call.kind,
      content: terminal ? [{ type: 'terminal', terminalId: call.id }] : [],
      ...fields,
    });
  }

  #touch(session: Target, call: Call, { meta = {}, beside = {}, ...fields }: Touch): void {
    this.update(session, {
      _meta: { claudeCode: { ...meta, toolName: call.tool }, ...beside },
      toolCallId: call.id,
      sessionUpdate: 'tool_call_update',
      ...fields,
    });
  }

  #close(session: Conversation, call: Call, outcome: CallOutcome): void {
    const { status, output, refused } = outcome;
    const detached = call.input.run_in_background === true;
    if (status === 'completed' && call.tool === 'Bash' && !detached) {
      this.#touch(session, call, { meta: { toolResponse: shellResult(output) } });
    }
    const meta: Fields = refused === true ? { nonExecutionKind: 'permission-rule' } : {};
    if (this.#inTerminal(call)) {
      this.#write(session, call, { output });
      this.#touch(session, call, {
        status,
        meta,
        ...(!detached && { beside: exited(call, status === 'completed' ? 0 : 1) }),
      });
      return;
    }
    const content = textContent(call.tool === 'Bash' ? `\`\`\`console\n${output}\n\`\`\`` : output);
    this.#touch(session, call, { status, rawOutput: output, content, meta });
  }

  #write(session: Target, call: Call, { output, parent }: { readonly output: string; readonly parent?: Fields }): void {
    const _meta = { terminal_output: { terminal_id: call.id, data: output }, ...(parent && { claudeCode: parent }) };
    this.update(session, { _meta, toolCallId: call.id, sessionUpdate: 'tool_call_update' });
  }

  /** The real end of a shell in the background: its exit, without a code, on an update without a status. */
  #exit(session: Conversation, work: Work): void {
    const call = launchCall(work);
    const fields: Fields = { sessionUpdate: 'tool_call_update', toolCallId: call.id, _meta: exited(call, null) };
    for (let time = 0; time < terminals(work); time++) this.update(session, fields);
  }

  #announce(session: Conversation, work: Work): void {
    const card: Fields = { title: work.name, description: 'general-purpose', capabilities: { cancel: {} } };
    const update = { sessionUpdate: 'subagent_update', sessionId: work.taskId, ...card, state: { state: 'running' } };
    this.update(session, update);
    this.#child(session, work);
  }

  #endChild(session: Conversation, work: Work): void {
    this.#closeChild(session, work);
    if (!this.childSessions) return;
    const state: Fields = { state: 'idle', stopReason: work.status === 'killed' ? 'cancelled' : 'end_turn' };
    this.update(session, { sessionUpdate: 'subagent_update', sessionId: work.taskId, state });
  }

  #child(session: Conversation, work: Work): void {
    const call = childCall(work);
    const terminal = this.#inTerminal(call);
    this.update(this.#targetOf(session, work), {
      _meta: {
        claudeCode: { toolName: call.tool, parentToolUseId: work.toolCallId },
        ...(terminal && { terminal_info: { terminal_id: call.id } }),
      },
      toolCallId: call.id,
      sessionUpdate: 'tool_call',
      name: call.tool,
      rawInput: call.input,
      status: 'pending',
      title: call.title,
      kind: call.kind,
      content: terminal ? [{ type: 'terminal', terminalId: call.id }] : textContent(call.title),
    });
  }

  /** Whose session the calls of a subagent are told on. */
  #targetOf(session: Conversation, work: Work): Target {
    return this.childSessions ? { id: work.taskId } : session;
  }

  #closeChild(session: Conversation, work: Work): void {
    const call = childCall(work);
    const target = this.#targetOf(session, work);
    const parent: Fields = { parentToolUseId: work.toolCallId };
    const terminal = this.#inTerminal(call);
    if (work.status === 'completed') {
      this.#touch(target, call, { meta: { toolResponse: shellResult('done'), ...parent } });
      if (terminal) this.#write(target, call, { output: 'done', parent });
      const shown = terminal
        ? { beside: exited(call, 0) }
        : { rawOutput: 'done', content: textContent('```console\ndone\n```') };
      this.#touch(target, call, { status: 'completed', ...shown, meta: parent });
      return;
    }
    const text = 'The turn was cancelled before this tool call returned a result.';
    this.update(target, {
      sessionUpdate: 'tool_call_update',
      toolCallId: call.id,
      status: 'failed',
      content: textContent(text),
      _meta: { claudeCode: parent, ...(terminal && exited(call, null)) },
    });
  }
}

/** Fields of an update, and what goes beside the tool's name in its metadata. */
interface Touch extends Fields {
  readonly meta?: Fields;
  /** Metadata that is not Claude's. */
  readonly beside?: Fields;
}

function exited(call: Call, exitCode: number | null): Fields {
  return { terminal_exit: { terminal_id: call.id, exit_code: exitCode, signal: null } };
}

const PENDING_TITLES: Readonly<Record<string, string>> = {
  Bash: 'Terminal',
  Agent: 'Task',
  AskUserQuestion: 'Asking for your input',
};

/** Whose cycle it is. A monitor's event carries no run id: it is not an end. */
export function origin(turn: Turn): Fields {
  if (turn.origin.kind === 'human') return { kind: 'human' };
  const notification: Fields = { kind: 'task-notification', producer: 'session-task' };
  return turn.origin.kind === 'event' ? notification : { ...notification, runId: turn.origin.work.runId };
}
