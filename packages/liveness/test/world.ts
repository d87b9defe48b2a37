import { type Attestation, attest, type Evidence, type WorkloadKind } from '../src/attestation.ts';
import type { Rules } from '../src/event.ts';
import type { Fact, Level } from '../src/fact.ts';
import type { Traits } from '../src/traits.ts';

/** A surface as its adapter describes it, and the levels on which it speaks. */
export interface Surface {
  readonly traits: Traits;
  readonly levels: readonly Level[];
}

const V1: Traits = {
  reports: false,
  handoff: false,
  wakes: false,
  agentCycles: false,
  levels: 0,
  rpc: 'held',
  begins: 'written',
  cancelKills: [],
};
const V2: Traits = { ...V1, agentCycles: true, levels: 1, rpc: 'receipt', begins: 'acknowledged' };
const CLAUDE: Traits = {
  ...V1,
  reports: true,
  handoff: true,
  wakes: true,
  agentCycles: true,
  cancelKills: ['subagent'],
};

/** The six kinds of surface that the adapters know. */
export const SURFACES = {
  plainV1: { traits: V1, levels: [] },
  claudeV1: { traits: CLAUDE, levels: [] },
  claudeV1Raw: { traits: { ...CLAUDE, levels: 1, cancelKills: [] }, levels: ['raw'] },
  hermes: { traits: { ...V1, reports: true, wakes: true, agentCycles: true, levels: 1 }, levels: ['state'] },
  acpV2: { traits: { ...V2, reports: true, wakes: true }, levels: ['state'] },
  claudeV2: { traits: { ...V2, reports: true, handoff: true, wakes: true, levels: 2 }, levels: ['state', 'raw'] },
} as const satisfies Record<string, Surface>;

export type SurfaceName = keyof typeof SURFACES;
export const SURFACE_NAMES = Object.keys(SURFACES) as SurfaceName[];

export const RULES = {
  coarse: { fine: false, reported: false, settleAfterMs: 2000 },
  reported: { fine: false, reported: true, settleAfterMs: 2000 },
  fine: { fine: true, reported: true, settleAfterMs: 2000 },
} as const satisfies Record<string, Rules>;

export type PolicyName = keyof typeof RULES;
export const POLICY_NAMES = Object.keys(RULES) as PolicyName[];

/** Sessions of the world and their tasks: two sessions share one. */
export const SESSIONS: Readonly<Record<string, string>> = { s1: 't1', s2: 't1', s3: 't2' };
export const SESSION_IDS = Object.keys(SESSIONS);

/** The kinds of the runs of an execution, by number. */
export const RUN_KINDS: readonly WorkloadKind[] = ['subagent', 'shell', 'subagent', 'monitor', 'other'];

/** What a run is called on the wire. */
export const namesOf = (execution: string, run: number) =>
  [`run:${execution}/${run}`, `tool:${execution}-${run}`, `session:${execution}~${run}`] as const;

/** Evidence as its adapter sends it. */
export const evidence = (given: Evidence): Fact => ({ kind: 'attested', attestation: attest(given) });

/** A thing of the shape of an attestation that no adapter made. */
export const forged = (given: Evidence): Fact => ({
  kind: 'attested',
  attestation: JSON.parse(JSON.stringify({ evidence: given, made: true, '#made': true })) as Attestation,
});

/** Numbers drawn from one seed: a step of a history is one integer, so that shrinking is cheap. */
export class Draw {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  #next(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let z = this.#state;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return (z ^ (z >>> 16)) >>> 0;
  }

  below(limit: number): number {
    return this.#next() % limit;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  of<T>(list: readonly [T, ...T[]] | readonly T[]): T {
    const one = list[this.below(list.length)];
    if (one === undefined) throw new Error('expected something to draw from, got an empty list');
    return one;
  }

  /** One of the moves, by weight. */
  weighted<T>(moves: readonly (readonly [number, T])[]): T {
    const total = moves.reduce((sum, [weight]) => sum + weight, 0);
    let at = (this.below(1_000_000) / 1_000_000) * total;
    for (const [weight, move] of moves) {
      at -= weight;
      if (at < 0) return move;
    }
    return this.of(moves)[1];
  }
}
