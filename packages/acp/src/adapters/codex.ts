import { type Fact, NO_TRAITS, type Traits } from '@vigil/liveness';
import { listAt, textAt } from '../wire/json.ts';
import { AcpV1 } from './acp-v1.ts';
import type { SessionUpdate } from './adapter.ts';
import { PROTOCOL_ONLY } from './output-reader.ts';
import { type ForegroundFact, StateUpdates } from './state-updates.ts';

const V1_TRAITS: Traits = { ...NO_TRAITS, agentCycles: true, levels: 1 };

/** Codex over ACP v1: its own thread status tells the foreground, also for turns nobody prompted. Attests nothing. */
export class CodexV1 extends AcpV1 {
  #atWork = false;

  constructor() {
    // The bridge's warnings are chunks without a message id: no sign of generation.
    super({ ...PROTOCOL_ONLY, isNotice: (update) => textAt(update.body, 'messageId') === undefined });
  }

  override get traits(): Traits {
    return V1_TRAITS;
  }

  override update(update: SessionUpdate): readonly Fact[] {
    const status =
      update.root && update.kind === 'session_info_update'
        ? textAt(update.body, '_meta', 'codex', 'threadStatus', 'type')
        : undefined;
    if (status === undefined) return onlyAtWork(super.update(update), this.#atWork || this.turns.isOpen);
    const flags = listAt(update.body, '_meta', 'codex', 'threadStatus', 'activeFlags');
    const state = stateOf(status, flags);
    this.#atWork = state !== 'idle';
    if (state === 'idle') this.output.turnEnded();
    const accepted = state === 'idle' ? [] : this.turns.turnFrame();
    return [...accepted, { kind: 'foreground', level: 'state', state }];
  }
}

/** Codex over ACP v2: honest foreground boundaries; what it says of terminals and lists is not relied upon. */
export class CodexV2 extends StateUpdates {
  #atWork = false;

  override update(update: SessionUpdate): readonly Fact[] {
    if (update.root && update.kind === 'state_update') this.#atWork = textAt(update.body, 'state') !== 'idle';
    return onlyAtWork(super.update(update), this.#atWork);
  }
}

/**
 * Calls go on, end and even begin while the thread is idle (recordings v1 03i, 03k), and no status ends what they would
 * begin: without a turn at work they are background work that nobody attests.
 */
function onlyAtWork(facts: readonly Fact[], atWork: boolean): readonly Fact[] {
  if (atWork) return facts;
  return facts.flatMap((fact): readonly Fact[] => {
    if (fact.kind === 'output') return [];
    return [fact.kind === 'tool' ? { ...fact, background: true } : fact];
  });
}

function stateOf(status: string, flags: readonly unknown[]): ForegroundFact['state'] {
  if (status === 'active') return flags.includes('waitingOnApproval') ? 'requires_action' : 'running';
  // A failed model call says `systemError` and no more: the turn is over (recording codex v1 10).
  return status === 'idle' || status === 'systemError' || status === 'notLoaded' ? 'idle' : 'unknown';
}
