import { type Fact, type Generation, NO_TRAITS, type Traits } from '@vigil/liveness';
import type { JsonObject } from '../wire/json.ts';
import type { RpcAnswer } from '../wire/json-rpc-peer.ts';
import type { Adapter, Asker, Asking, SessionUpdate, StopTarget } from './adapter.ts';
import { HeldTurns } from './held-turns.ts';
import { OutputReader, type OutputRules, PROTOCOL_ONLY } from './output-reader.ts';

/** Frames that an agent sends on its own account: no sign that it took a prompt up. */
const NO_TURN_FRAMES = new Set([
  'available_commands_update',
  'current_mode_update',
  'config_option_update',
  'session_info_update',
  'notice',
]);

/** ACP v1 as the protocol has it: the open request is the turn. Attests nothing. */
export class AcpV1 implements Adapter {
  protected readonly turns = new HeldTurns();
  protected readonly output: OutputReader;

  constructor(rules: OutputRules = PROTOCOL_ONLY) {
    this.output = new OutputReader(rules);
  }

  get traits(): Traits {
    return NO_TRAITS;
  }

  update(update: SessionUpdate): readonly Fact[] {
    const accepted = update.root && !NO_TURN_FRAMES.has(update.kind) ? this.turns.turnFrame() : [];
    return [...accepted, ...this.output.read(update)];
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
    const facts = this.turns.answered(generation, answer);
    this.output.turnEnded();
    return facts;
  }

  /** A frame that is no update, and yet shows that the agent works on what was prompted. */
  turnShown(): readonly Fact[] {
    return this.turns.turnFrame();
  }

  asked(asking: Asking): readonly Fact[] {
    return asking.root ? this.turns.turnFrame() : [];
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
}
