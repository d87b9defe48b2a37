import type { Fact, Generation } from '@vigil/liveness';
import { textAt } from '../wire/json.ts';
import type { RpcAnswer } from '../wire/json-rpc-peer.ts';

interface Turn {
  readonly generation: Generation;
  accepted: boolean;
  yielded: boolean;
}

/** Prompts of ACP v1: the request stays open until its turn ends, and nothing acknowledges it but the turn's first frame. */
export class HeldTurns {
  #open: Turn[] = [];

  get isOpen(): boolean {
    return this.#open.length > 0;
  }

  written(generation: Generation): void {
    this.#open.push({ generation, accepted: false, yielded: false });
  }

  /** A frame that belongs to a turn: the oldest prompt not yet accepted is. */
  turnFrame(): readonly Fact[] {
    const turn = this.#open.find((one) => !one.accepted);
    if (!turn) return [];
    turn.accepted = true;
    return [{ kind: 'prompt.accepted', generation: turn.generation }];
  }

  accept(generation: Generation): readonly Fact[] {
    const turn = this.#open.find((one) => one.generation === generation && !one.accepted);
    if (!turn) return [];
    turn.accepted = true;
    return [{ kind: 'prompt.accepted', generation }];
  }

  /** The prompt that the provider says it has answered, though its request is open; null when none is open. */
  yield(): Generation | null {
    const turn = this.#open.find((one) => !one.yielded);
    if (!turn) return null;
    turn.yielded = true;
    return turn.generation;
  }

  answered(generation: Generation, answer: RpcAnswer): readonly Fact[] {
    const turn = this.#open.find((one) => one.generation === generation);
    if (!turn) return [];
    this.#open = this.#open.filter((one) => one !== turn);
    if (!answer.ok && !turn.accepted) return [{ kind: 'prompt.rejected', generation }];
    const stopReason = answer.ok ? (textAt(answer.result, 'stopReason') ?? 'end_turn') : 'error';
    const settled: Fact = { kind: 'rpc.settled', generation, stopReason };
    return turn.accepted ? [settled] : [{ kind: 'prompt.accepted', generation }, settled];
  }
}
