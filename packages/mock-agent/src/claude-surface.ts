import { closingUsage, quota, REQUEST_COST, requestUsage, sessionOptions, usage } from './claude-result.ts';
import type { HistoryEntry } from './history.ts';
import { type Fields, pick } from './json.ts';
import type { Outlet } from './surface.ts';
import type { Call, CallOutcome, Conversation, StopReason, Turn } from './turn.ts';
import { terminals, textContent, V1Surface } from './v1-surface.ts';
import type { Work, WorkKind } from './work.ts';
import { childCall, launchCall, launchText, monitorTimeout } from './work-call.ts';

/** Claude over plain ACP v1: launches are attested, ends only by the usage update that closes a wake. */
export class ClaudeSurface extends V1Surface {
  override readonly handsOff = true;
  readonly #sparesSubagents: boolean;

  constructor(outlet: Outlet, client: Fields) {
    super(outlet);
    this.#sparesSubagents = pick(client, 'clientCapabilities', 'subagents') !== undefined;
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
    const title = call.tool === 'Monitor' ? {} : { title: call.title, content: textContent(summarise(call)) };
    this.#touch(turn.session, call, { rawInput: call.input, ...title });
  }

  override callClosed(turn: Turn, call: Call, outcome: CallOutcome): void {
    this.#close(turn.session, call, outcome);
  }

  override permission(turn: Turn, call: Call): Fields {
    const params = super.permission(turn, call);
    return { ...params, toolCall: { ...(params.toolCall as Fields), name: call.tool } };
  }

  override launched(turn: Turn, work: Work): void {
    const call = launchCall(work);
    this.callOpened(turn, call);
    if (work.detached) {
      this.#touch(turn.session, call, { meta: { toolResponse: acknowledgement(work) } });
      this.#close(turn.session, call, { status: 'completed', output: launchText(work) });
    }
    if (work.kind === 'subagent') this.#child(turn.session, work);
  }

  override returned(turn: Turn, work: Work): void {
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
    if (work.kind === 'subagent') this.#closeChild(session, work);
  }

  override dies(kind: WorkKind): boolean {
    return kind === 'subagent' && !this.#sparesSubagents;
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

  #open(session: Conversation, call: Call, fields: Fields = {}): void {
    this.update(session, {
      _meta: { claudeCode: { toolName: call.tool } },
      toolCallId: call.id,
      sessionUpdate: 'tool_call',
      name: call.tool,
      rawInput: {},
      status: 'pending',
      title: PENDING_TITLES[call.tool] ?? call.tool,
      kind: call.kind,
      content: [],
      ...fields,
    });
  }

  #touch(session: Conversation, call: Call, { meta = {}, ...fields }: Touch): void {
    this.update(session, {
      _meta: { claudeCode: { ...meta, toolName: call.tool } },
      toolCallId: call.id,
      sessionUpdate: 'tool_call_update',
      ...fields,
    });
  }

  #close(session: Conversation, call: Call, outcome: CallOutcome): void {
    const { status, output, refused } = outcome;
    const content = textContent(call.tool === 'Bash' ? `\`\`\`console\n${output}\n\`\`\`` : output);
    if (status === 'completed' && call.tool === 'Bash' && call.input.run_in_background !== true) {
      this.#touch(session, call, { meta: { toolResponse: shellResult(output) } });
    }
    const meta: Fields = refused === true ? { nonExecutionKind: 'permission-rule' } : {};
    this.#touch(session, call, { status, rawOutput: output, content, meta });
  }

  #child(session: Conversation, work: Work): void {
    const call = childCall(work);
    this.update(session, {
      _meta: { claudeCode: { toolName: call.tool, parentToolUseId: work.toolCallId } },
      toolCallId: call.id,
      sessionUpdate: 'tool_call',
      name: call.tool,
      rawInput: call.input,
      status: 'pending',
      title: call.title,
      kind: call.kind,
      content: textContent(call.title),
    });
  }

  #closeChild(session: Conversation, work: Work): void {
    const call = childCall(work);
    const parent: Fields = { parentToolUseId: work.toolCallId };
    if (work.status === 'completed') {
      this.#touch(session, call, { meta: { toolResponse: shellResult('done'), ...parent } });
      const content = textContent('```console\ndone\n```');
      this.#touch(session, call, { status: 'completed', rawOutput: 'done', content, meta: parent });
      return;
    }
    const text = 'The turn was cancelled before this tool call returned a result.';
    this.update(session, {
      sessionUpdate: 'tool_call_update',
      toolCallId: call.id,
      status: 'failed',
      content: textContent(text),
      _meta: { claudeCode: parent },
    });
  }
}

/** Fields of an update, and what goes beside the tool's name in its metadata. */
interface Touch extends Fields {
  readonly meta?: Fields;
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

function summarise(call: Call): string {
  const text = call.input.prompt ?? call.input.description;
  return typeof text === 'string' ? text : call.title;
}

function shellResult(stdout: string): Fields {
  return { stdout, stderr: '', interrupted: false, isImage: false, noOutputExpected: false };
}

/** What attests that detached work was launched. */
function acknowledgement(work: Work): Fields {
  switch (work.kind) {
    case 'shell':
      return { ...shellResult(''), backgroundTaskId: work.taskId };
    case 'monitor':
      return { taskId: work.taskId, timeoutMs: monitorTimeout(work), persistent: work.milliseconds === undefined };
    case 'subagent':
      return {
        isAsync: true,
        status: 'async_launched',
        agentId: work.taskId,
        description: work.name,
        prompt: `Work as ${work.name}`,
        outputFile: `/tmp/${work.taskId}.output`,
        canReadOutputFile: true,
        canContinueAgent: true,
      };
  }
}

function handBack(work: Work, report: string): Fields {
  return {
    status: 'completed',
    prompt: `Work as ${work.name}`,
    agentId: work.taskId,
    agentType: 'general-purpose',
    content: [{ type: 'text', text: report }],
    totalToolUseCount: 1,
    canContinueAgent: true,
  };
}
