import type { Traits } from '@vigil/liveness';
import { NO_TRAITS } from '@vigil/liveness';
import fc from 'fast-check';
import type { Fate } from './weather.ts';

/** What a provider does in a turn, in this order. */
export type Piece = 'output' | 'tool' | 'work' | 'shell' | 'work ends' | 'permission' | 'form' | 'yield' | 'crash';

export interface TurnPlan {
  /** Its word on the prompt. `mute`: none, ever. `breaks`: the request fails, and no frame says so. */
  readonly answer: 'takes' | 'busy' | 'refuses' | 'breaks' | 'mute';
  readonly pieces: readonly Piece[];
  /** False: the turn never tells its end by itself. */
  readonly ends: boolean;
  /** Does not hear a cancel. */
  readonly deaf: boolean;
}

/** What becomes of a frame on its way. `late`: the next one overtakes it. */
export type Carriage = 'whole' | 'lost' | 'doubled' | 'late';

export type Opening = 'opens' | 'fails';
export type Closing = 'ends' | 'refuses once';

/** Kinds of provider: a plain one, one that hands its foreground over and wakes, one that reports lists. */
export const SURFACES = {
  plain: { ...NO_TRAITS, cancelKills: ['subagent', 'shell'] },
  claude: { ...NO_TRAITS, handoff: true, wakes: true, agentCycles: true, cancelKills: ['subagent'] },
  lists: {
    ...{ ...NO_TRAITS, reports: true, wakes: true, agentCycles: true, levels: 1, rpc: 'receipt' },
    begins: 'acknowledged',
  },
} as const satisfies Record<string, Traits>;
export type Surface = keyof typeof SURFACES;

export type StepKind = (typeof STEPS)[number][1];

/** What somebody does, how often, and on what: `a` chooses a session or an item, `b` a variant. */
export interface Step {
  readonly kind: StepKind;
  readonly a: number;
  readonly b: number;
  /** How many of the things that are due happen before the next step; -1: all. */
  readonly due: number;
}

const STEPS = [
  [14, 'submit'],
  [3, 'prompt'],
  [4, 'cancel'],
  [2, 'stop all'],
  [2, 'stop one'],
  [4, 'teardown'],
  [1, 'delete session'],
  [1, 'delete task'],
  [1, 'archive'],
  [2, 'unarchive'],
  [2, 'create session'],
  [4, 'respond'],
  [3, 'crash'],
  [4, 'wake'],
  [3, 'auto-run'],
  [2, 'edit'],
  [2, 'remove'],
  [2, 'reorder'],
  [1, 'clear'],
  [2, 'send now'],
  [1, 'move task'],
  [2, 'database goes'],
  [3, 'database comes'],
  [6, 'time'],
  [2, 'audit'],
  [2, 'watch'],
  [1, 'kill'],
  [1, 'restart'],
] as const satisfies readonly (readonly [number, string])[];

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.oneof(
    ...STEPS.map(([weight, kind]) => ({ weight, arbitrary: fc.constant(kind) })),
  ) as fc.Arbitrary<StepKind>,
  a: fc.nat(11),
  b: fc.nat(11),
  due: fc.constantFrom(-1, -1, 0, 1, 2, 3, 5, 8),
});

const few = <T>(weights: readonly (readonly [number, T])[]): fc.Arbitrary<T> =>
  fc.oneof(...weights.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) }))) as fc.Arbitrary<T>;

const piece = few<Piece>([
  [4, 'output'],
  [2, 'tool'],
  [3, 'work'],
  [1, 'shell'],
  [2, 'work ends'],
  [2, 'permission'],
  [1, 'form'],
  [3, 'yield'],
  [1, 'crash'],
]);

const turn: fc.Arbitrary<TurnPlan> = fc.record({
  answer: few<TurnPlan['answer']>([
    [16, 'takes'],
    [2, 'busy'],
    [1, 'refuses'],
    [1, 'breaks'],
    [1, 'mute'],
  ]),
  pieces: fc.array(piece, { maxLength: 4 }),
  ends: few([
    [7, true],
    [1, false],
  ]),
  deaf: few([
    [4, false],
    [1, true],
  ]),
});

/** All that is decided beforehand in a history; lists are used from their beginning, and again when they are at their end. */
export interface Plan {
  readonly handoff: boolean;
  readonly steps: readonly Step[];
  readonly turns: readonly TurnPlan[];
  readonly fates: readonly Fate[];
  readonly carriages: readonly Carriage[];
  readonly openings: readonly Opening[];
  readonly closings: readonly Closing[];
}

/** A calm history has neither failures of the database nor losses on the wire: what it breaks is easier to read. */
export const plans = (length: number): fc.Arbitrary<Plan> =>
  fc.record({
    handoff: fc.boolean(),
    steps: fc.array(step, { minLength: 6, maxLength: length, size: 'max' }),
    turns: fc.array(turn, { minLength: 1, maxLength: 6 }),
    fates: fc.oneof(
      fc.constant<Fate[]>(['fine']),
      fc.array(
        few<Fate>([
          [12, 'fine'],
          [3, 'slow'],
          [2, 'fails'],
          [1, 'unanswered'],
        ]),
        { minLength: 7, maxLength: 23, size: 'max' },
      ),
    ),
    carriages: fc.oneof(
      fc.constant<Carriage[]>(['whole']),
      fc.array(
        few<Carriage>([
          [12, 'whole'],
          [1, 'lost'],
          [2, 'doubled'],
          [1, 'late'],
        ]),
        { minLength: 5, maxLength: 17, size: 'max' },
      ),
    ),
    openings: fc.array(
      few<Opening>([
        [7, 'opens'],
        [1, 'fails'],
      ]),
      { minLength: 1, maxLength: 5 },
    ),
    closings: fc.array(
      few<Closing>([
        [7, 'ends'],
        [1, 'refuses once'],
      ]),
      { minLength: 1, maxLength: 5 },
    ),
  });

/** Gives the items one by one, for ever. */
export function cycle<T>(items: readonly [T, ...T[]] | readonly T[], last: T): () => T {
  let next = 0;
  return () => items[next++ % items.length] ?? last;
}
