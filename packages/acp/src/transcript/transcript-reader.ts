import { BoundedMap, type SessionUpdate } from '../adapters/adapter.ts';
import type { ToolContent, TranscriptEvent } from '../types.ts';
import { isObject, type JsonObject, listAt, numberAt, textAt } from '../wire/json.ts';
import { Terminals } from './terminals.ts';
import { textOf, toolContent, toolStatus } from './tool-content.ts';

type Role = 'user' | 'assistant' | 'thought';

const ROLES: Readonly<Record<string, Role>> = {
  agent_message_chunk: 'assistant',
  agent_message: 'assistant',
  agent_thought_chunk: 'thought',
  agent_thought: 'thought',
};

/** Turns updates into transcript events. A person's own messages are the supervisor's to record, so they are left out. */
export class TranscriptReader {
  readonly #salt: string;
  readonly #terminals = new Terminals();
  readonly #replayed = new BoundedMap<string>(2_000);
  /** The message that chunks without an id of their own go on with. */
  #anonymous: { readonly key: string; readonly id: string } | null = null;
  #made = 0;

  /** `salt` keeps ids that we make apart from those of another execution. */
  constructor(salt: string) {
    this.#salt = salt;
  }

  /** `replay`: history, told again; its messages replace what is known of them. */
  read(update: SessionUpdate, replay: boolean): readonly TranscriptEvent[] {
    const role = Object.hasOwn(ROLES, update.kind) ? ROLES[update.kind] : undefined;
    if (role !== undefined) return this.#message(update, role, replay);
    if (update.kind === 'usage_update') return usage(update);
    this.#anonymous = null;
    switch (update.kind) {
      case 'tool_call':
      case 'tool_call_update':
        return this.#tool(update);
      case 'tool_call_content_chunk':
        return [];
      case 'terminal_update':
      case 'terminal_output_chunk':
        return this.#terminal(update);
      case 'subagent_update':
        return subagent(update);
      case 'current_mode_update':
      case 'config_option_update':
        return update.root ? settings(update.body) : [];
      case 'plan':
        return [plan(listAt(update.body, 'entries'))];
      case 'plan_update':
        return [plan(listAt(update.body, 'plan', 'entries'))];
      default:
        return [];
    }
  }

  /** Text after the end of a turn begins a new message. */
  turnEnded(): void {
    this.#anonymous = null;
  }

  #message(update: SessionUpdate, role: Role, replay: boolean): readonly TranscriptEvent[] {
    const text = textOf(update.body.content);
    const whole = !update.kind.endsWith('_chunk');
    if (text === '' && !whole) return [];
    const id = this.#idOf(update, role);
    const parent = parentOf(update);
    const before = replay && !whole ? (this.#replayed.get(id) ?? '') : '';
    if (replay) this.#replayed.set(id, before + text);
    return [
      {
        type: 'message',
        id,
        role,
        text: before + text,
        mode: whole || replay ? 'replace' : 'append',
        ...(parent !== undefined && { parentToolCallId: parent }),
      },
    ];
  }

  #idOf(update: SessionUpdate, role: Role): string {
    const own = textAt(update.body, 'messageId');
    if (own !== undefined) {
      this.#anonymous = null;
      return `${role}:${own}`;
    }
    const key = `${role}:${update.sessionId}:${parentOf(update) ?? ''}`;
    if (this.#anonymous?.key !== key) {
      this.#made += 1;
      this.#anonymous = { key, id: `${role}:${this.#salt}:${this.#made}` };
    }
    return this.#anonymous.id;
  }

  #tool(update: SessionUpdate): readonly TranscriptEvent[] {
    const { body } = update;
    const id = textAt(body, 'toolCallId');
    if (id === undefined) return [];
    for (const block of listAt(body, 'content')) {
      const terminal = isObject(block) && block.type === 'terminal' ? textAt(block, 'terminalId') : undefined;
      if (terminal !== undefined) this.#terminals.shownBy(terminal, id);
    }
    const told = this.#terminals.metadata(body);
    const content =
      toolContent(body.content, this.#terminals) ?? (told === null ? undefined : [this.#terminals.show(told)]);
    const parent = parentOf(update);
    return [
      {
        type: 'tool',
        id,
        ...shownOf(body),
        ...(content && { content }),
        ...(parent !== undefined && { parentToolCallId: parent }),
      },
    ];
  }

  #terminal(update: SessionUpdate): readonly TranscriptEvent[] {
    const id = textAt(update.body, 'terminalId');
    if (id === undefined) return [];
    const data = textAt(update.body, 'data');
    if (update.kind === 'terminal_update') this.#terminals.update(id, update.body);
    else if (data !== undefined) this.#terminals.chunk(id, data);
    const call = this.#terminals.callOf(id);
    const content: readonly ToolContent[] = [this.#terminals.show(id)];
    return call === null ? [] : [{ type: 'tool', id: call, content }];
  }
}

function shownOf(body: JsonObject) {
  const title = textAt(body, 'title');
  const toolKind = textAt(body, 'kind');
  const status = toolStatus(body.status);
  const input = body.rawInput;
  const hasInput = isObject(input) ? Object.keys(input).length > 0 : input !== undefined && input !== null;
  return {
    ...(title !== undefined && { title }),
    ...(toolKind !== undefined && { toolKind }),
    ...(status && { status }),
    ...(hasInput && { input }),
  };
}

/** A child session is shown as a call of its own, the parent of what it does. */
function subagent(update: SessionUpdate): readonly TranscriptEvent[] {
  const child = textAt(update.body, 'sessionId');
  if (child === undefined) return [];
  const title = textAt(update.body, 'title');
  const state = textAt(update.body, 'state', 'state');
  const stop = textAt(update.body, 'state', 'stopReason');
  const ended = stop === 'cancelled' ? 'cancelled' : stop === 'error' ? 'failed' : 'completed';
  const status = state === undefined ? undefined : state === 'idle' ? ended : 'in_progress';
  return [
    {
      type: 'tool',
      id: child,
      toolKind: 'subagent',
      ...(title !== undefined && { title }),
      ...(status && { status }),
      ...(!update.root && { parentToolCallId: update.sessionId }),
    },
  ];
}

function parentOf(update: SessionUpdate): string | undefined {
  if (!update.root) return update.sessionId;
  return (
    textAt(update.body, '_meta', 'claudeCode', 'parentToolUseId') ?? textAt(update.body, '_meta', 'parentToolCallId')
  );
}

function plan(entries: readonly unknown[]): TranscriptEvent {
  return {
    type: 'plan',
    entries: entries.filter(isObject).map((entry) => ({
      content: textAt(entry, 'content') ?? '',
      status: textAt(entry, 'status') ?? 'pending',
      priority: textAt(entry, 'priority') ?? 'medium',
    })),
  };
}

/** Mode and model as the answer that opened the conversation tells them: by the protocol's fields, or as options. */
export function openingSettings(answer: JsonObject): readonly TranscriptEvent[] {
  const mode = textAt(answer, 'modes', 'currentModeId');
  const model = textAt(answer, 'models', 'currentModelId');
  return [
    ...settings(answer),
    ...(mode === undefined ? [] : [{ type: 'setting', name: 'mode', value: mode } as const]),
    ...(model === undefined ? [] : [{ type: 'setting', name: 'model', value: model } as const]),
  ];
}

/** A mode of ACP v1 by its own update; mode and model among the options of v2 by their category. */
function settings(body: JsonObject): readonly TranscriptEvent[] {
  const mode = textAt(body, 'currentModeId');
  const told: TranscriptEvent[] = mode === undefined ? [] : [{ type: 'setting', name: 'mode', value: mode }];
  const options = listAt(body, 'configOptions').flatMap((option): readonly TranscriptEvent[] => {
    const category = textAt(option, 'category');
    const value = textAt(option, 'currentValue');
    const isShown = category === 'mode' || category === 'model';
    return isShown && value !== undefined ? [{ type: 'setting', name: category, value }] : [];
  });
  return [...told, ...options];
}

function usage(update: SessionUpdate): readonly TranscriptEvent[] {
  if (!update.root) return [];
  const { body } = update;
  return [
    {
      type: 'usage',
      used: numberAt(body, 'used') ?? null,
      size: numberAt(body, 'size') ?? null,
      cost: numberAt(body, 'cost', 'amount') ?? null,
    },
  ];
}
