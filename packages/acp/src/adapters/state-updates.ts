import { type Fact, type Generation, NO_TRAITS, type Traits } from '@vigil/liveness';
import { type JsonObject, textAt } from '../wire/json.ts';
import type { RpcAnswer } from '../wire/json-rpc-peer.ts';
import type { Adapter, Asker, Asking, SessionUpdate, StopTarget } from './adapter.ts';
import { OutputReader, type OutputRules, PROTOCOL_ONLY } from './output-reader.ts';
import { ReceiptTurns } from './receipt-turns.ts';

const KNOWN_STATES = { running: 'running', requires_action: 'requires_action', idle: 'idle' } as const;

const V2_TRAITS: Traits = { ...NO_TRAITS, agentCycles: true, levels: 1, rpc: 'receipt', begins: 'acknowledged' };

/** ACP v2 as the protocol has it: `state_update` is the foreground, the prompt's answer a receipt. Attests nothing. */
export class StateUpdates implements Adapter {
  protected readonly turns = new ReceiptTurns();
  protected readonly output: OutputReader;

  constructor(rules: OutputRules = PROTOCOL_ONLY) {
    this.output = new OutputReader(rules);
  }

  get traits(): Traits {
    return V2_TRAITS;
  }

  update(update: SessionUpdate): readonly Fact[] {
    if (update.kind === 'state_update') return update.root ? this.rootState(update.body) : [];
    if (update.kind === 'user_message' || update.kind === 'user_message_chunk') {
      return update.root ? this.turns.begun(textAt(update.body, 'messageId')) : [];
    }
    return this.output.read(update);
  }

  notified(_method: string, _params: JsonObject): readonly Fact[] {
    return [];
  }

  replayed(update: SessionUpdate): void {
    this.output.replayed(update);
  }

  written(generation: Generation): void {
    this.turns.written(generation);
  }

  answered(generation: Generation, answer: RpcAnswer): readonly Fact[] {
    return this.turns.answered(generation, answer);
  }

  asked(_asking: Asking): readonly Fact[] {
    return [];
  }

  decided(_asking: Asking, _allowed: boolean): readonly Fact[] {
    return [];
  }

  asker(asking: Asking): Asker {
    return { askedBy: asking.root ? null : asking.sessionId, background: false };
  }

  stopTarget(_workloadId: string): StopTarget | null {
    return null;
  }

  protected rootState(body: JsonObject): readonly Fact[] {
    const fact = foregroundOf(body);
    if (fact.state === 'idle') this.output.turnEnded();
    return [fact];
  }
}

export type ForegroundFact = Extract<Fact, { kind: 'foreground' }>;

/** The foreground that a v2 state names; a state that we do not know is `unknown`, never idle (S9). */
export function foregroundOf(body: JsonObject): ForegroundFact {
  const state = textAt(body, 'state') ?? '';
  const stopReason = textAt(body, 'stopReason');
  return {
    kind: 'foreground',
    level: 'state',
    state: Object.hasOwn(KNOWN_STATES, state) ? KNOWN_STATES[state as keyof typeof KNOWN_STATES] : 'unknown',
    ...(stopReason !== undefined && { stopReason }),
  };
}
