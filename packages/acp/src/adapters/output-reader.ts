import type { Fact } from '@vigil/liveness';
import { isObject, listAt, textAt } from '../wire/json.ts';
import { BoundedMap, BoundedSet, type SessionUpdate } from './adapter.ts';

const TEXT_KINDS = new Set(['agent_message_chunk', 'agent_thought_chunk', 'agent_message', 'agent_thought']);
const TOOL_KINDS = new Set(['tool_call', 'tool_call_update', 'tool_call_content_chunk']);
const CLOSED = new Set(['completed', 'failed', 'cancelled']);

/** What an adapter adds to the protocol's own meaning of a frame. */
export interface OutputRules {
  /** The parent that the provider names for a call or a text, where it names one. */
  readonly parentOf: (update: SessionUpdate) => string | undefined;
  /** The call is known for background work. */
  readonly isBackground: (toolCallId: string) => boolean;
  /** Text that is no model output. */
  readonly isNotice: (update: SessionUpdate) => boolean;
}

export const PROTOCOL_ONLY: OutputRules = {
  parentOf: (update) => textAt(update.body, '_meta', 'parentToolCallId'),
  isBackground: () => false,
  isNotice: () => false,
};

/** Reads text and tool frames: the part of a turn that every provider shares (S4, S40). */
export class OutputReader {
  readonly #rules: OutputRules;
  readonly #tools = new BoundedSet();
  readonly #parents = new BoundedMap<string>();
  readonly #endedMessages = new BoundedSet();
  readonly #openMessages = new BoundedSet();
  #currentMessages: string[] = [];

  constructor(rules: OutputRules) {
    this.#rules = rules;
  }

  read(update: SessionUpdate): readonly Fact[] {
    if (TEXT_KINDS.has(update.kind)) return this.#text(update);
    if (TOOL_KINDS.has(update.kind)) return this.#tool(update);
    return [];
  }

  /** Ids of history are known, and its messages belong to ended turns. */
  replayed(update: SessionUpdate): void {
    this.read(update);
    this.turnEnded();
  }

  turnEnded(): void {
    for (const id of this.#currentMessages) this.#endedMessages.add(id);
    this.#currentMessages = [];
  }

  /** The parent of a call as some frame of it has told. */
  parentOf(toolCallId: string): string | undefined {
    return this.#parents.get(toolCallId);
  }

  #text(update: SessionUpdate): readonly Fact[] {
    if (!update.root || this.#rules.parentOf(update) !== undefined) return [];
    if (!hasText(update.body.content) || this.#rules.isNotice(update)) return [];
    const id = textAt(update.body, 'messageId');
    if (id === undefined) return [{ kind: 'output' }];
    if (this.#endedMessages.has(id)) return [{ kind: 'output', ended: true }];
    if (this.#openMessages.add(id)) this.#currentMessages.push(id);
    return [{ kind: 'output' }];
  }

  #tool(update: SessionUpdate): readonly Fact[] {
    const id = textAt(update.body, 'toolCallId');
    if (id === undefined) return [];
    const parent = this.#rules.parentOf(update);
    if (parent !== undefined) this.#parents.set(id, parent);
    const background = this.#rules.isBackground(id);
    const content = hasContent(update);
    return [
      {
        kind: 'tool',
        toolCallId: update.root ? id : `${update.sessionId}/${id}`,
        opens: this.#tools.add(`${update.sessionId}/${id}`),
        child: !update.root || this.#parents.has(id),
        ...(background && { background }),
        ...(content && { content }),
        closed: CLOSED.has(textAt(update.body, 'status') ?? ''),
      },
    ];
  }
}

function hasContent(update: SessionUpdate): boolean {
  const { kind, body } = update;
  return kind === 'tool_call_content_chunk' || listAt(body, 'content').length > 0 || (body.rawOutput ?? null) !== null;
}

/** A content block, or a list of them, with text that is not empty. */
function hasText(content: unknown): boolean {
  if (Array.isArray(content)) return content.some(hasText);
  return isObject(content) && textAt(content, 'text') !== undefined;
}
