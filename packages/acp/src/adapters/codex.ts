import type { Fact, Traits } from '@vigil/liveness';
import { listAt, textAt } from '../wire/json.ts';
import { AcpV1 } from './acp-v1.ts';
import type { SessionUpdate } from './adapter.ts';
import { type ForegroundFact } from './state-updates.ts';
import { PROTOCOL_ONLY } from './output-reader.ts';

/** Codex over ACP v1: its own thread status tells the foreground, also for turns nobody prompted. Attests nothing. */
export class CodexV1 extends AcpV1 {
  constructor() {
    // The bridge's warnings are chunks without a message id: no sign of generation.
    super({ ...PROTOCOL_ONLY, isNotice: (update) => textAt(update.body, 'messageId') === undefined });
  }

  override get traits(): Traits {
    return { ...super.traits, agentCycles: true, levels: 1 };
  }

  override update(update: SessionUpdate): readonly Fact[] {
    const status = update.root && update.kind === 'session_info_update' ? textAt(update.body, '_meta', 'codex', 'threadStatus', 'type') : undefined;
    if (status === undefined) return super.update(update);
    const flags = listAt(update.body, '_meta', 'codex', 'threadStatus', 'activeFlags');
    const state = stateOf(status, flags);
    if (state === 'idle') this.output.turnEnded();
    const accepted = state === 'idle' ? [] : this.turns.turnFrame();
    return [...accepted, { kind: 'foreground', level: 'state', state }];
  }
}

function stateOf(status: string, flags: readonly unknown[]): ForegroundFact['state'] {
  if (status === 'active') return flags.includes('waitingOnApproval') ? 'requires_action' : 'running';
  // A failed model call says `systemError` and no more: the turn is over (recording codex v1 10).
  return status === 'idle' || status === 'systemError' || status === 'notLoaded' ? 'idle' : 'unknown';
}
