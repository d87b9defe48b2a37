import type { HistoryEntry } from './history.ts';
import type { Fields } from './json.ts';
import { type Outlet, PERMISSION_OPTIONS, type Speech, type Surface } from './surface.ts';
import type { Call, CallOutcome, Conversation, StopReason, Turn } from './turn.ts';
import type { Work, WorkKind } from './work.ts';
import { launchCall, launchText } from './work-call.ts';

/** Plain ACP v1: nothing about background work is attested. The base of the other v1 dialects. */
export class V1Surface implements Surface {
  readonly version = 1;
  readonly handsOff: boolean = false;
  readonly childSessions: boolean = false;
  protected readonly outlet: Outlet;

  constructor(outlet: Outlet) {
    this.outlet = outlet;
  }

  initialize(): Fields {
    return {
      protocolVersion: 1,
      agentCapabilities: {
        promptCapabilities: { embeddedContext: true },
        mcpCapabilities: { http: true, sse: true },
        loadSession: true,
        sessionCapabilities: { close: {}, list: {}, resume: {} },
      },
      agentInfo: { name: 'vigil-mock-agent', title: 'Mock agent', version: '0.1.0' },
      authMethods: [],
    };
  }

  sessionResult(session: Conversation): Fields {
    return { sessionId: session.id };
  }

  opened(_session: Conversation, _how: 'new' | 'resumed'): void {}

  replay(session: Conversation, history: readonly HistoryEntry[]): void {
    for (const entry of history) {
      if (entry.kind === 'call') this.replayCall(session, entry);
      else this.update(session, { ...chunk(REPLAYED[entry.kind], entry.text), messageId: entry.messageId });
    }
  }

  queued(_turn: Turn): void {}

  began(_turn: Turn): void {}

  idled(_turn: Turn): void {}

  ended(turn: Turn, stopReason: StopReason): void {
    if (turn.origin.kind === 'human') turn.origin.reply({ stopReason });
  }

  said(turn: Turn, { kind, text, messageId }: Speech): void {
    this.update(turn.session, { ...chunk(REPLAYED[kind], text), messageId });
  }

  planned(turn: Turn, entries: readonly string[]): void {
    this.update(turn.session, { sessionUpdate: 'plan', entries: entries.map(planEntry) });
  }

  callOpened(turn: Turn, call: Call): void {
    const { id: toolCallId, title, kind, input: rawInput } = call;
    this.update(turn.session, { sessionUpdate: 'tool_call', toolCallId, title, kind, status: 'pending', rawInput });
    this.update(turn.session, { sessionUpdate: 'tool_call_update', toolCallId, status: 'in_progress' });
  }

  callClosed(turn: Turn, call: Call, outcome: CallOutcome): void {
    this.update(turn.session, { sessionUpdate: 'tool_call_update', toolCallId: call.id, ...closing(outcome) });
  }

  awaitedUser(_turn: Turn, _waits: boolean): void {}

  permission(turn: Turn, call: Call): Fields {
    const { id: toolCallId, title, kind, input: rawInput } = call;
    const toolCall: Fields = { toolCallId, status: 'pending', rawInput, title, kind, content: textContent(title) };
    return { toolCall, options: PERMISSION_OPTIONS, sessionId: turn.session.id };
  }

  launched(turn: Turn, work: Work): void {
    const call = launchCall(work);
    this.callOpened(turn, call);
    if (work.detached) this.callClosed(turn, call, { status: 'completed', output: launchText(work) });
  }

  returned(turn: Turn, work: Work): void {
    const status = work.status === 'completed' ? 'completed' : 'failed';
    for (let time = 0; time < terminals(work); time++) {
      this.callClosed(turn, launchCall(work), { status, output: `Final report of ${work.name}.` });
    }
  }

  finished(_session: Conversation, _work: Work): void {}

  dies(_kind: WorkKind): boolean {
    return false;
  }

  protected replayCall(session: Conversation, entry: Extract<HistoryEntry, { kind: 'call' }>): void {
    const { id: toolCallId, title, toolKind: kind, input: rawInput } = entry;
    this.update(session, { sessionUpdate: 'tool_call', toolCallId, title, kind, status: 'pending', rawInput });
    this.update(session, { sessionUpdate: 'tool_call_update', toolCallId, ...closing(entry) });
  }

  protected update(session: Target, update: Fields): void {
    this.outlet.notify('session/update', { sessionId: session.id, update });
  }
}

/** A session or a child session. */
export interface Target {
  readonly id: string;
}

const REPLAYED = {
  user: 'user_message_chunk',
  message: 'agent_message_chunk',
  thought: 'agent_thought_chunk',
} as const;

/** A chunk of text of the given kind of update. */
export function chunk(sessionUpdate: string, text: string): Fields {
  return { sessionUpdate, content: { type: 'text', text } };
}

/** Text as the content of a tool call. */
export function textContent(text: string): readonly Fields[] {
  return [{ type: 'content', content: { type: 'text', text } }];
}

/** One open entry of a plan. */
export function planEntry(content: string): Fields {
  return { content, status: 'pending', priority: 'medium' };
}

/** How often the terminal of a piece of work is sent. */
export function terminals(work: Work): number {
  return work.duplicated ? 2 : 1;
}

function closing({ status, output }: { readonly status: string; readonly output: string }): Fields {
  return { status, rawOutput: output, content: textContent(output) };
}
