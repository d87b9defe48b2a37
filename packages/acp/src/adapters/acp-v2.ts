import type { Fact, Traits } from '@vigil/liveness';
import { AcpV2Work, type WorkRules } from './acp-v2-work.ts';
import type { Asker, Asking, SessionUpdate, StopTarget } from './adapter.ts';
import { StateUpdates } from './state-updates.ts';

/** ACP v2 of an agent that we know nothing more about: what it lists is attested by the protocol (S32, S33). */
export class AcpV2 extends StateUpdates {
  readonly #work: AcpV2Work;
  readonly #traits: Traits = { ...super.traits, reports: true, wakes: true };

  constructor(rules: Partial<WorkRules> = {}) {
    super();
    this.#work = new AcpV2Work(rules);
  }

  override get traits(): Traits {
    return this.#traits;
  }

  override update(update: SessionUpdate): readonly Fact[] {
    return [...this.#work.read(update), ...super.update(update)];
  }

  override asker(asking: Asking): Asker {
    if (asking.root) return super.asker(asking);
    const { sessionId } = asking;
    return { askedBy: this.#work.runs.calledOf(sessionId), background: this.#work.isListed(sessionId) };
  }

  override stopTarget(workloadId: string): StopTarget | null {
    return this.#work.stops.targetOf(workloadId);
  }
}
