import type { Fact, Generation } from '@vigil/liveness';
import { textAt } from '../wire/json.ts';
import type { RpcAnswer } from '../wire/json-rpc-peer.ts';
import { BoundedMap } from './adapter.ts';

/** Prompts that are remembered for a late frame of theirs. */
const KEPT = 50;

interface Prompt {
  readonly generation: Generation;
  messageId: string | null;
  begun: boolean;
  answered: boolean;
  /** The provider's own end of it was seen, or its command never will be. */
  over: boolean;
}

/** Which generation a provider's id means: bound by what names it, else in the order of writing. */
export class PromptIds {
  #prompts: Prompt[] = [];
  readonly #ended = new BoundedMap<Generation>(1_000);

  written(generation: Generation): void {
    this.#prompts = this.#prompts.slice(-KEPT);
    this.#prompts.push({ generation, messageId: null, begun: false, answered: false, over: false });
  }

  /** The prompt of this id; an id that is new is bound to the oldest prompt without one. */
  bound(messageId: string): Prompt | undefined {
    const known = this.#prompts.find((one) => one.messageId === messageId);
    if (known || this.#ended.has(messageId)) return known;
    const oldest = this.#prompts.find((one) => one.messageId === null && !one.begun);
    if (oldest) oldest.messageId = messageId;
    return oldest;
  }

  /** The prompt of this generation, told its id by the answer to its request. */
  of(generation: Generation, messageId: string | undefined): Prompt | undefined {
    const prompt = this.#prompts.find((one) => one.generation === generation);
    if (prompt && messageId !== undefined && prompt.messageId !== messageId) {
      for (const other of this.#prompts) if (other.messageId === messageId) other.messageId = null;
      prompt.messageId = messageId;
    }
    return prompt;
  }

  remove(prompt: Prompt): void {
    if (prompt.messageId !== null) this.#ended.set(prompt.messageId, prompt.generation);
    this.#prompts = this.#prompts.filter((one) => one !== prompt);
  }

  /** The provider's own end of the prompt of this id. */
  completed(messageId: string): Generation | undefined {
    const prompt = this.#prompts.find((one) => one.messageId === messageId);
    if (!prompt || prompt.over) return undefined;
    prompt.over = true;
    if (prompt.answered) this.remove(prompt);
    return prompt.generation;
  }
}

/** Prompts of ACP v2: `user_message` takes one up, the answer to its request is only the receipt. */
export class ReceiptTurns {
  readonly ids = new PromptIds();

  written(generation: Generation): void {
    this.ids.written(generation);
  }

  /** A user message of the root session, or a command that started. */
  begun(messageId: string | undefined): readonly Fact[] {
    const prompt = messageId === undefined ? undefined : this.ids.bound(messageId);
    if (!prompt || prompt.begun) return [];
    prompt.begun = true;
    return [{ kind: 'prompt.begun', generation: prompt.generation }];
  }

  answered(generation: Generation, answer: RpcAnswer): readonly Fact[] {
    const prompt = this.ids.of(generation, answer.ok ? textAt(answer.result, 'messageId') : undefined);
    if (!prompt) return [];
    prompt.answered = true;
    if (!answer.ok) {
      this.ids.remove(prompt);
      if (!prompt.begun) return [{ kind: 'prompt.rejected', generation }];
      return [
        { kind: 'prompt.accepted', generation },
        { kind: 'prompt.completed', generation, stopReason: 'error' },
      ];
    }
    const accepted: Fact = { kind: 'prompt.accepted', generation };
    if (prompt.begun) return [accepted];
    prompt.begun = true;
    return [{ kind: 'prompt.begun', generation }, accepted];
  }
}
