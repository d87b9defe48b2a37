import { type Fact, NO_TRAITS, type Traits } from '@vigil/liveness';
import type { JsonObject } from '../wire/json.ts';
import { AcpV2Work } from './acp-v2-work.ts';
import {
  type Agreement,
  type Asker,
  type Asking,
  CurrentTraits,
  type SessionUpdate,
  type StopTarget,
} from './adapter.ts';
import { ClaudeCalls, claudeParent, queuesPrompts } from './claude-calls.ts';
import { ClaudeRaw, rawMessage } from './claude-raw.ts';
import { StateUpdates } from './state-updates.ts';

/** Claude over ACP v2: v2 gives identity, lists, permissions and cancel; raw, where it comes, gives the level. */
export class ClaudeV2 extends StateUpdates {
  readonly #calls: ClaudeCalls;
  readonly #work: AcpV2Work;
  readonly #raw: ClaudeRaw;
  readonly #traits: CurrentTraits;

  constructor(agreement: Agreement, malformed: (kind: string) => void = () => undefined) {
    const calls = new ClaudeCalls();
    super({ parentOf: claudeParent, isBackground: (id) => calls.isBackground(id), isNotice: () => false });
    this.#calls = calls;
    this.#work = new AcpV2Work({
      terminalName: (id) => `tool:${id}`,
      kindOfCall: (id) => (calls.isMonitor(id) ? 'monitor' : 'other'),
      onlyWhenReported: false,
      malformed,
      childrenByOther: (id, run) => this.#raw.counts && this.#raw.runs.knows(id, run),
    });
    this.#raw = new ClaudeRaw({
      ids: this.turns.ids,
      calls,
      stops: this.#work.stops,
      taken: (id, state) => this.#taken(id, state),
      resultEnds: false,
      malformed,
    });
    const handoff = queuesPrompts(agreement.answer.capabilities);
    this.#traits = new CurrentTraits({ ...super.traits, reports: true, handoff, wakes: true });
  }

  override get traits(): Traits {
    const levels = this.#raw.counts ? 2 : 1;
    return this.#traits.with({ levels, cancelKills: NO_TRAITS.cancelKills });
  }

  override update(update: SessionUpdate): readonly Fact[] {
    const armed = this.#calls.read(update, !this.#raw.counts);
    const work = this.#work.read(update);
    const turn = super.update(update);
    return armed.length + work.length === 0 ? turn : [...armed, ...work, ...turn];
  }

  override notified(method: string, params: JsonObject): readonly Fact[] {
    const message = rawMessage(method, params);
    return message ? this.#raw.read(message) : [];
  }

  override replayed(update: SessionUpdate): void {
    this.#calls.read(update, false);
    super.replayed(update);
  }

  override asker(asking: Asking): Asker {
    if (asking.root) return super.asker(asking);
    const background = this.#raw.isListed(asking.sessionId) || this.#work.isListed(asking.sessionId);
    return { askedBy: this.#work.runs.calledOf(asking.sessionId), background };
  }

  override stopTarget(workloadId: string): StopTarget | null {
    return this.#work.stops.targetOf(workloadId);
  }

  /** `queued` only binds the command to its prompt; `started` is its begin, also where `user_message` comes later. */
  #taken(messageId: string, state: 'queued' | 'started'): readonly Fact[] {
    if (state === 'started') return this.turns.begun(messageId);
    this.turns.ids.bound(messageId);
    return [];
  }
}
