import type { LivenessEvent } from '../src/event.ts';
import type { Fact } from '../src/fact.ts';
import type { Execution, SessionRecord } from '../src/record.ts';
import { claimIn, cycleIn } from './work-referee.ts';
import { evidence } from './world.ts';

type Bare<E> = E extends LivenessEvent ? Omit<E, 'sessionId' | 'at'> : never;

/** How a well-behaved agent and its shell end what is at work, in one of several orders. */
export type Ending = 'answer first' | 'idle first' | 'work first';
export const ENDINGS: readonly Ending[] = ['answer first', 'idle first', 'work first'];

/** The next words of an agent that comes to rest; null when it has nothing left to say. */
export function restStep(record: SessionRecord, round: number, ending: Ending): Bare<LivenessEvent> | null {
  const execution = record.executionId === null ? undefined : record.executions.get(record.executionId);
  if (execution === undefined) return null;
  const claim = claimIn(record);
  const { inFlight } = record;
  if (!execution.opened && inFlight !== null) return { type: 'prompt.released', generation: inFlight };
  if (!execution.opened) return { type: 'execution.opened', executionId: execution.id, traits: execution.traits };
  if (claim !== null && !claim.dispatched) return { type: 'prompt.dispatched', generation: claim.generation };
  if (inFlight !== null) return frame(execution.id, [{ kind: 'prompt.accepted', generation: inFlight }]);
  const steps = { answer: answers(record), idle: idles(execution), work: ends(record) };
  const order =
    ending === 'answer first'
      ? [...steps.answer, ...steps.idle, ...steps.work]
      : ending === 'idle first'
        ? [...steps.idle, ...steps.answer, ...steps.work]
        : [...steps.work, ...steps.answer, ...steps.idle];
  const fact = order[round % (order.length + 1)];
  return fact === undefined ? { type: 'time.passed' } : frame(execution.id, [fact]);
}

const frame = (executionId: string, facts: readonly Fact[]): Bare<LivenessEvent> => ({
  type: 'frame.received',
  executionId,
  facts,
});

/** An agent whose turn ends by an answer gives it for every prompt that it still owes one. */
function answers(record: SessionRecord): Fact[] {
  const execution = record.executionId === null ? undefined : record.executions.get(record.executionId);
  const owed = [cycleIn(record)?.generation, claimIn(record)?.generation].filter((each) => each !== undefined);
  if (execution?.traits.rpc !== 'held') return [];
  return [
    ...owed.map((generation): Fact => ({ kind: 'rpc.settled', generation, stopReason: 'end_turn' })),
    { kind: 'cycle.closed' },
  ];
}

/** Every level that the surface speaks on, or has been heard on. */
function idles({ traits, levels }: Execution): Fact[] {
  const state = traits.levels > 0 || levels.state !== null;
  const raw = traits.levels === 2 || levels.raw !== null;
  return [...(state ? levelEnd('state') : []), ...(raw ? levelEnd('raw') : [])];
}

const levelEnd = (level: 'state' | 'raw'): Fact[] => [
  { kind: 'foreground', level, state: 'running' },
  { kind: 'foreground', level, state: 'idle' },
];

function ends(record: SessionRecord): Fact[] {
  const execution = record.executionId === null ? undefined : record.executions.get(record.executionId);
  const runs = execution?.registrations ?? [];
  const listed = execution?.rosterRank ?? null;
  return [
    ...runs.map((one) => evidence({ what: 'ended', names: one.names })),
    ...(listed === null ? [] : [evidence({ what: 'roster', rank: listed, items: [] })]),
  ];
}
