import type { WorkloadKind } from '../src/attestation.ts';
import type { Rules } from '../src/event.ts';
import type { Level } from '../src/fact.ts';
import type { Traits } from '../src/traits.ts';

/** A piece of work that a universe knows by one name. */
export interface Work {
  readonly name: string;
  readonly kind: WorkloadKind;
}

/** A small world of one session: all that can happen to it, and how often what is not bounded by itself. */
export interface Universe {
  readonly name: string;
  readonly traits: Traits;
  readonly rules: Rules;
  /** Prompts that are granted at most, by origin, and executions that are started at most. */
  readonly humans: number;
  readonly wakeups: number;
  readonly executions: number;
  readonly work: readonly Work[];
  /** Complete lists are reported. */
  readonly rosters: boolean;
  readonly levels: readonly Level[];
  /** Levels also report `requires_action`, `unknown`, and idle without a stop reason. */
  readonly oddLevels: boolean;
  /** The protocol's level names runs. */
  readonly runs: boolean;
  /** Tool frames of the call that launches the first work, and of one call more. */
  readonly tools: boolean;
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
const CLAUDE: Traits = { ...V1, handoff: true, wakes: true, agentCycles: true, cancelKills: ['subagent'] };
const V2: Traits = { ...V1, reports: true, wakes: true, agentCycles: true, rpc: 'receipt', begins: 'acknowledged' };

const A: Work = { name: 'tool:A', kind: 'subagent' };
const B: Work = { name: 'run:B', kind: 'shell' };
const MONITOR: Work = { name: 'run:M', kind: 'monitor' };

const PLAIN: Omit<Universe, 'name' | 'rules'> = {
  traits: V1,
  humans: 2,
  wakeups: 1,
  executions: 2,
  work: [],
  rosters: false,
  levels: [],
  oddLevels: false,
  runs: false,
  tools: true,
};

/** One universe a surface: what its agent can say, and the prompts, executions and work of the contract's issue. */
const SURFACES: Readonly<Record<string, Omit<Universe, 'name' | 'rules'>>> = {
  'plain-v1': PLAIN,
  'claude-v1': { ...PLAIN, traits: CLAUDE, work: [A, B] },
  'claude-v1-monitor': { ...PLAIN, traits: CLAUDE, work: [A, MONITOR], tools: false },
  'claude-v1-raw': {
    ...PLAIN,
    traits: { ...CLAUDE, reports: true, levels: 1, cancelKills: [] },
    work: [A, B],
    rosters: true,
    levels: ['raw'],
    tools: false,
  },
  hermes: {
    ...PLAIN,
    traits: { ...V1, reports: true, wakes: true, agentCycles: true, levels: 1 },
    work: [A, B],
    rosters: true,
    levels: ['state'],
    runs: true,
    tools: false,
  },
  'acp-v2': { ...PLAIN, traits: { ...V2, levels: 1 }, work: [A, B], rosters: true, levels: ['state'], oddLevels: true },
  'claude-v2': {
    ...PLAIN,
    traits: { ...V2, handoff: true, levels: 2 },
    work: [A, B],
    rosters: true,
    levels: ['state', 'raw'],
    tools: false,
  },
};

const POLICIES: Readonly<Record<string, Rules>> = {
  coarse: { fine: false, reported: false, settleAfterMs: 2000 },
  reported: { fine: false, reported: true, settleAfterMs: 2000 },
  fine: { fine: true, reported: true, settleAfterMs: 2000 },
};

/** Without lists `reported` is never reached and all is as under `coarse`. */
const differs = (world: Omit<Universe, 'name' | 'rules'>, policy: string) => world.rosters || policy !== 'reported';

/** Every surface under every policy that it can be read by. */
export const UNIVERSES: readonly Universe[] = Object.entries(SURFACES).flatMap(([surface, world]) =>
  Object.entries(POLICIES)
    .filter(([policy]) => differs(world, policy))
    .map(([policy, rules]) => ({ ...world, name: `${surface}/${policy}`, rules })),
);

/** The same universe with fewer prompts, executions and work: closes within seconds. */
export function small(universe: Universe): Universe {
  return {
    ...universe,
    name: `${universe.name} (small)`,
    humans: 2,
    wakeups: 0,
    executions: 1,
    work: universe.work.slice(0, 1),
  };
}
