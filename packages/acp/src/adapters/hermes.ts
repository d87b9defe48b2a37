import type { Fact, Generation, Traits } from '@vigil/liveness';
import { attest, type RosterItem } from '@vigil/liveness/attestation';
import { isObject, type JsonObject, textAt, valueAt } from '../wire/json.ts';
import type { RpcAnswer } from '../wire/json-rpc-peer.ts';
import { AcpV1 } from './acp-v1.ts';
import { AcpV2 } from './acp-v2.ts';
import type { Adapter, Agreement, Asker, Asking, SessionUpdate, StopTarget } from './adapter.ts';
import { foregroundOf } from './state-updates.ts';

const HERMES_STATE_UPDATE = '_hermes-agent/state_update';
const OVER = new Set(['completed', 'failed']);
/** Origins that are the claimed prompt itself. */
const OF_PROMPTS = new Set(['prompt', 'human', 'user']);
const ITEMS_KEPT = 2_000;

interface Item {
  run: number;
  over: boolean;
}

/** Hermes: run boundaries and a roster over its own notification, beside ACP v1 or v2 (S120–S123). */
export class Hermes implements Adapter {
  readonly #inner: AcpV1 | AcpV2;
  readonly #items = new Map<string, Item>();
  /** Once its own updates come they are the only boundary. */
  #speaks = false;
  readonly #malformed: (kind: string) => void;

  constructor(agreement: Agreement, malformed: (kind: string) => void = () => {}) {
    this.#inner = agreement.protocolVersion === 2 ? new AcpV2() : new AcpV1();
    this.#malformed = malformed;
  }

  get traits(): Traits {
    return { ...this.#inner.traits, reports: true, wakes: true, agentCycles: true, levels: 1 };
  }

  update(update: SessionUpdate): readonly Fact[] {
    const facts = this.#inner.update(update);
    return this.#speaks && update.kind === 'state_update'
      ? facts.filter((fact) => fact.kind !== 'foreground' && fact.kind !== 'attested')
      : facts;
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
    const fact = foregroundOf(params);
    const runId = textAt(params, '_meta', 'runId');
    const origin = valueAt(params, '_meta', 'origin');
    const foreign = typeof origin === 'string' && !OF_PROMPTS.has(origin);
    const accepted =
      fact.state === 'running' && !foreign && this.#inner instanceof AcpV1 ? this.#inner.turnShown() : [];
    return [...accepted, { ...fact, ...(runId !== undefined && { runId }), ...(foreign && { agentInitiated: true }) }];
  }

  #roster(background: unknown): readonly Fact[] {
    if (background === undefined || background === null) return [];
    const items = Array.isArray(background) ? background.map((item) => this.#item(item)) : [null];
    if (!items.every((item) => item !== null)) {
      this.#malformed('background');
      return [];
    }
    const listed = new Set(items.map((item) => item.names[0]));
    for (const [id, item] of this.#items)
      if (item.over && !listed.has(nameOf(id, item.run))) this.#items.set(id, { run: item.run + 1, over: false });
    return [{ kind: 'attested', attestation: attest({ what: 'roster', rank: 1, items }) }];
  }

  #item(item: unknown): RosterItem | null {
    const id = isObject(item)
      ? (textAt(item, 'id') ?? textAt(item, 'processId') ?? textAt(item, 'terminalId'))
      : undefined;
    if (id === undefined) return null;
    const over = OVER.has(textAt(item, 'status') ?? '');
    const known = this.#items.get(id) ?? { run: 1, over: false };
    const run = known.over && !over ? known.run + 1 : known.run;
    this.#items.set(id, { run, over });
    const oldest = this.#items.size > ITEMS_KEPT ? this.#items.keys().next().value : undefined;
    if (oldest !== undefined) this.#items.delete(oldest);
    const label = textAt(item, 'title') ?? textAt(item, 'command');
    return {
      names: [nameOf(id, run)],
      kind: 'shell',
      status: over ? 'ended' : 'running',
      ...(label !== undefined && { label }),
    };
  }
}

function nameOf(id: string, run: number): string {
  return run === 1 ? `process:${id}` : `process:${id}#${run}`;
}
