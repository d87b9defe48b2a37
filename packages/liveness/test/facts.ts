import { attest, type Evidence, type RosterItem, type WorkloadKind, type WorkNames } from '../src/attestation.ts';
import type { Fact, Level } from '../src/fact.ts';
import type { Traits } from '../src/traits.ts';

/** Claude over ACP v2 with raw messages: two levels, complete lists. */
export const CLAUDE_V2: Traits = {
  reports: true,
  handoff: false,
  wakes: true,
  agentCycles: true,
  levels: 2,
  rpc: 'receipt',
  begins: 'acknowledged',
  cancelKills: [],
};
/** Any agent over ACP v2 that reports. */
export const ACP_V2: Traits = { ...CLAUDE_V2, wakes: false, levels: 1 };
/** Claude over plain ACP v1: nothing but cards, acknowledgements and closing usage. */
export const CLAUDE_V1: Traits = {
  reports: false,
  handoff: true,
  wakes: true,
  agentCycles: true,
  levels: 0,
  rpc: 'held',
  begins: 'written',
  cancelKills: ['subagent'],
};
export const CLAUDE_V1_RAW: Traits = { ...CLAUDE_V1, reports: true, levels: 1, cancelKills: [] };
export const HERMES: Traits = { ...CLAUDE_V1_RAW, handoff: false };
/** An agent over ACP v1 that tells nothing but its answers. */
export const GENERIC: Traits = { ...HERMES, reports: false, wakes: false, agentCycles: false, levels: 0 };

export const out: Fact = { kind: 'output' };
export const cycleClosed: Fact = { kind: 'cycle.closed' };

type ToolFact = Extract<Fact, { kind: 'tool' }>;
type ForegroundFact = Extract<Fact, { kind: 'foreground' }>;

/** The first frame of a call. */
export function call(toolCallId: string, more: Partial<ToolFact> = {}): Fact {
  return { kind: 'tool', toolCallId, opens: true, child: false, closed: false, ...more };
}

/** A later frame of a call. */
export function update(toolCallId: string, more: Partial<ToolFact> = {}): Fact {
  return call(toolCallId, { opens: false, ...more });
}

export const begun = (generation: number): Fact => ({ kind: 'prompt.begun', generation });
export const accepted = (generation: number): Fact => ({ kind: 'prompt.accepted', generation });
export const rejected = (generation: number): Fact => ({ kind: 'prompt.rejected', generation });
export const completed = (generation: number): Fact => ({ kind: 'prompt.completed', generation });
export const yielded = (generation: number): Fact => ({ kind: 'yielded', generation });
export const answered = (generation: number, stopReason = 'end_turn'): Fact => ({
  kind: 'rpc.settled',
  generation,
  stopReason,
});

const level =
  (state: ForegroundFact['state'], standard: Partial<ForegroundFact> = {}) =>
  (more: Partial<ForegroundFact> | Level = {}): Fact => ({
    kind: 'foreground',
    level: 'state',
    state,
    ...standard,
    ...(typeof more === 'string' ? { level: more } : more),
  });
export const running = level('running');
export const needsAction = level('requires_action');
export const unknownState = level('unknown');
export const idle = level('idle', { stopReason: 'end_turn' });

export const fact = (evidence: Evidence): Fact => ({ kind: 'attested', attestation: attest(evidence) });

interface Work {
  readonly kind?: WorkloadKind;
  readonly also?: readonly string[];
  readonly label?: string;
  readonly stoppable?: boolean;
}

function described(name: string, work: Work) {
  const names: WorkNames = [name, ...(work.also ?? [])];
  return {
    names,
    kind: work.kind ?? 'subagent',
    ...(work.label === undefined ? {} : { label: work.label }),
    ...(work.stoppable === undefined ? {} : { stoppable: work.stoppable }),
  } as const;
}

/** A launch that was acknowledged as background work. */
export function launched(name: string, work: Work = {}): Fact {
  return fact({ what: 'started', detached: true, ...described(name, work) });
}

/** A start of work that blocks its turn. */
export function blocking(name: string, work: Work = {}): Fact {
  return fact({ what: 'started', detached: false, ...described(name, work) });
}

export const detached = (...names: WorkNames): Fact => fact({ what: 'detached', names });
export const named = (...names: WorkNames): Fact => fact({ what: 'named', names });
export const done = (...names: WorkNames): Fact => fact({ what: 'ended', names });
/** A completion that names nothing; `marked` by the provider as an end, not a monitor's event. */
export const doneUnnamed = (marked = false): Fact => fact({ what: 'ended.unnamed', marked });

export function item(name: string, work: Work & { status?: RosterItem['status'] } = {}): RosterItem {
  return { status: work.status ?? 'running', ...described(name, { kind: 'shell', ...work }) };
}

/** A complete list; bare names are shells that run. */
export function roster(items: readonly (string | RosterItem)[], rank = 1): Fact {
  return fact({ what: 'roster', rank, items: items.map((one) => (typeof one === 'string' ? item(one) : one)) });
}
