import type { Fact, Generation, Traits } from '@vigil/liveness';
import { attest } from '@vigil/liveness/attestation';
import { type JsonObject, textAt, valueAt } from '../wire/json.ts';
import type { RpcAnswer } from '../wire/json-rpc-peer.ts';
import { AcpV1 } from './acp-v1.ts';
import { AcpV2 } from './acp-v2.ts';
import type { Adapter, Agreement, Asker, Asking, SessionUpdate, StopTarget } from './adapter.ts';
import { ProcessItems } from './hermes-items.ts';
import { reportedList } from './reported-list.ts';
import { type ForegroundFact, foregroundOf } from './state-updates.ts';

const HERMES_STATE_UPDATE = '_hermes-agent/state_update';
/** Origins that are the claimed prompt itself. */
const OF_PROMPTS = new Set(['prompt', 'human', 'user']);

/** Hermes: run boundaries and a roster over its own notification, beside ACP v1 or v2 (S120–S123). */
export class Hermes implements Adapter {
  readonly #inner: AcpV1 | AcpV2;
  readonly #items = new ProcessItems();
  /** Once its own updates come they are the only boundary. */
  #speaks = false;
  readonly #malformed: (kind: string) => void;
  readonly #traits: Traits;

  constructor(agreement: Agreement, malformed: (kind: string) => void = () => {}) {
    this.#inner = agreement.protocolVersion === 2 ? new AcpV2({ processes: this.#items, malformed }) : new AcpV1();
    this.#malformed = malformed;
    this.#traits = { ...this.#inner.traits, reports: true, wakes: true, agentCycles: true, levels: 1 };
  }

  get traits(): Traits {
    return this.#traits;
  }

  update(update: SessionUpdate): readonly Fact[] {
    const facts = this.#inner.update(update);
    if (update.kind !== 'state_update') return facts;
    if (this.#speaks) return facts.filter((fact) => fact.kind !== 'foreground' && fact.kind !== 'attested');
    return facts.map((fact) => (fact.kind === 'foreground' ? { ...fact, ...runOf(update.body) } : fact));
  }

  notified(method: string, params: JsonObject): readonly Fact[] {
    if (method !== HERMES_STATE_UPDATE) return this.#inner.notified(method, params);
    if (textAt(params, 'sessionId') === undefined || textAt(params, 'state') === undefined) {
      this.#malformed('state_update');
      return [];
    }
    this.#speaks = true;
    return [...this.#roster(params.background), ...this.#boundary(params)];
  }

  replayed(update: SessionUpdate): void {
    this.#inner.replayed(update);
  }

  written(generation: Generation): void {
    this.#inner.written(generation);
  }

  answered(generation: Generation, answer: RpcAnswer): readonly Fact[] {
    return this.#inner.answered(generation, answer);
  }

  asked(asking: Asking): readonly Fact[] {
    return this.#inner.asked(asking);
  }

  decided(asking: Asking, allowed: boolean): readonly Fact[] {
    return this.#inner.decided(asking, allowed);
  }

  asker(asking: Asking): Asker {
    return this.#inner.asker(asking);
  }

  stopTarget(workloadId: string): StopTarget | null {
    return this.#inner.stopTarget(workloadId);
  }

  #boundary(params: JsonObject): readonly Fact[] {
    const fact: ForegroundFact = { ...foregroundOf(params), ...runOf(params) };
    const isOurs = fact.state === 'running' && fact.agentInitiated !== true;
    return [...(isOurs && this.#inner instanceof AcpV1 ? this.#inner.turnShown() : []), fact];
  }

  #roster(background: unknown): readonly Fact[] {
    if (background === undefined || background === null) return [];
    const items = reportedList(background)?.map((item) => this.#items.read(item)) ?? [null];
    if (!items.every((item) => item !== null)) {
      this.#malformed('background');
      return [];
    }
    this.#items.listed(items);
    return [{ kind: 'attested', attestation: attest({ what: 'roster', rank: 1, items }) }];
  }
}

/** The run that a boundary names, and whether its origin is another than the claimed prompt (S121). */
function runOf(body: JsonObject): Pick<ForegroundFact, 'runId' | 'agentInitiated'> {
  const runId = textAt(body, '_meta', 'runId');
  const origin = valueAt(body, '_meta', 'origin');
  const foreign = typeof origin === 'string' && !OF_PROMPTS.has(origin);
  return { ...(runId !== undefined && { runId }), ...(foreign && { agentInitiated: true }) };
}
