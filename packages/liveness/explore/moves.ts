import { type Attestation, attest, type Evidence, type RosterItem } from '../src/attestation.ts';
import type { EndCause, LivenessEvent } from '../src/event.ts';
import type { Fact } from '../src/fact.ts';
import type { Execution, SessionRecord } from '../src/record.ts';
import { claimIn, cycleIn, deadlinesIn, generationsIn, runsIn, servingIn } from './read.ts';
import type { Universe, Work } from './universe.ts';

/** A state with the numbers that its next step continues. */
export interface Node {
  readonly record: SessionRecord;
  readonly at: number;
  readonly tick: number;
  readonly used: { readonly humans: number; readonly wakeups: number; readonly executions: number };
}

type Bare<E> = E extends LivenessEvent ? Omit<E, 'sessionId' | 'at'> : never;

export interface Move {
  readonly step: Bare<LivenessEvent>;
  /** What a well-behaved agent or the shell does to come to an end, by itself. */
  readonly ending: boolean;
  readonly at: number;
}

/** A generation that no record names: all that are over are alike. */
export const STALE = 999_999_999;
const CAUSES: readonly EndCause[] = ['stopped', 'completed', 'cancelled', 'crashed'];
const NOBODY = 'e0';

interface Scene extends Node {
  readonly universe: Universe;
}

type Steps = readonly (readonly [ending: boolean, step: Bare<LivenessEvent>])[];

/** All that can happen to this state in its universe. */
export function movesOf(node: Node, universe: Universe): readonly Move[] {
  const scene: Scene = { ...node, universe };
  const soon = node.at + 1;
  const steps = [...prompts(scene), ...shell(scene), ...frames(scene)].map(([ending, step]) => ({
    step,
    ending,
    at: soon,
  }));
  const times = [soon, ...deadlinesIn(node.record)].map((at, index) => ({
    step: TIME,
    ending: index > 0,
    at: Math.max(at, soon),
  }));
  return [...steps, ...times];
}

const TIME: Bare<LivenessEvent> = { type: 'time.passed' };

function prompts({ record, used, universe }: Scene): Steps {
  const executionId = `e${used.executions + 1}`;
  const idle = record.executionId === null && used.executions >= universe.executions;
  const claim = (origin: 'human' | 'wakeup', left: number): Steps =>
    left > 0 && !idle ? [[false, { type: 'prompt.claimed', origin, executionId }]] : [];
  const generations = [...generationsIn(record), STALE];
  return [
    ...claim('human', universe.humans - used.humans),
    ...claim('wakeup', universe.wakeups - used.wakeups),
    ...generations.flatMap(
      (generation): Steps => [
        [claimIn(record)?.generation === generation, { type: 'prompt.dispatched', generation }],
        [false, { type: 'prompt.released', generation }],
        [true, { type: 'cancel.expired', generation }],
        [false, { type: 'cancel.requested', generation }],
      ],
    ),
    [false, { type: 'cancel.requested', generation: null }],
    [true, { type: 'session.accounted' }],
  ];
}

function shell({ record, universe }: Scene): Steps {
  const executions = [...record.executions.keys(), NOBODY];
  return executions.flatMap(
    (executionId): Steps => [
      [true, { type: 'execution.opened', executionId, traits: universe.traits }],
      [false, { type: 'execution.lost', executionId }],
      ...CAUSES.map(
        (cause) =>
          [
            record.executions.get(executionId)?.lost === true,
            { type: 'execution.ended', executionId, cause, error: null },
          ] as const,
      ),
      ...universe.work.map((work) => [false, { type: 'stop.requested', executionId, workloadId: work.name }] as const),
    ],
  );
}

/** What the serving agent says; and one frame of an execution that is gone. */
function frames(scene: Scene): Steps {
  const execution = servingIn(scene.record);
  const late: Steps = [[false, { type: 'frame.received', executionId: NOBODY, facts: [{ kind: 'output' }] }]];
  if (execution === undefined) return late;
  const frame = (ending: boolean) => (facts: readonly Fact[]) =>
    [ending, { type: 'frame.received', executionId: execution.id, facts }] as const;
  const ends = [...answers(scene), ...idles(scene), ...workEnds(scene.universe, execution)];
  return [
    ...late,
    ...ends.map(frame(true)),
    ...[...talk(scene), ...naming(scene), ...levels(scene), ...work(scene.universe)].map(frame(false)),
  ];
}

type Frames = readonly (readonly Fact[])[];

/** The answers that an agent still owes. */
function answers({ record }: Scene): Frames {
  const cycle = cycleIn(record);
  const owed = [
    cycle?.origin === 'agent' ? undefined : cycle?.generation,
    claimIn(record)?.generation,
    cycle?.predecessor?.generation,
  ];
  const generations = owed.filter((each) => each !== undefined);
  const accepted: Frames = record.inFlight === null ? [] : [[{ kind: 'prompt.accepted', generation: record.inFlight }]];
  const settled = generations.map((generation): Fact[] => [
    { kind: 'rpc.settled', generation, stopReason: 'end_turn' },
  ]);
  return [...accepted, ...settled, [{ kind: 'cycle.closed' }]];
}

function idles({ record, universe }: Scene): Frames {
  const runs = universe.runs ? [...runsIn(record)] : [];
  return universe.levels.flatMap(
    (level): Frames => [
      [{ kind: 'foreground', level, state: 'idle', stopReason: 'end_turn' }],
      [{ kind: 'foreground', level, state: 'running' }],
      ...runs.map((runId): Fact[] => [{ kind: 'foreground', level, state: 'idle', runId, stopReason: 'end_turn' }]),
    ],
  );
}

const said = (evidence: Evidence): Fact => ({ kind: 'attested', attestation: attest(evidence) });
/** Of the shape of an attestation, and made by no adapter (S23). */
const forged = (evidence: Evidence): Fact => ({ kind: 'attested', attestation: { evidence } as Attestation });
const list = (...items: readonly RosterItem[]): Fact => said({ what: 'roster', rank: 1, items });
const item = ({ name, kind }: Work, status: RosterItem['status']): RosterItem => ({ names: [name], kind, status });

function workEnds({ work, rosters }: Universe, { registrations }: Execution): Frames {
  const live = work.filter(({ name }) => registrations.some((one) => one.names.includes(name)));
  return [...live.map(({ name }) => [said({ what: 'ended', names: [name] })]), ...(rosters ? [[list()]] : [])];
}

function talk({ universe, record }: Scene): Frames {
  const cycle = cycleIn(record);
  const tools: Frames = [
    [tool('A', { opens: true })],
    [tool('A', { opens: true, background: true })],
    [tool('A', { closed: true, content: true })],
    [tool('A', { opens: true, child: true })],
    [tool('A', { closed: true })],
  ];
  const folded: Frames =
    cycle === null || cycle.origin === 'agent'
      ? []
      : [[{ kind: 'output' }, { kind: 'rpc.settled', generation: cycle.generation, stopReason: 'end_turn' }]];
  return [[{ kind: 'output' }], [{ kind: 'output', ended: true }], ...folded, ...(universe.tools ? tools : [])];
}

const tool = (toolCallId: string, more: Partial<Extract<Fact, { kind: 'tool' }>>): Fact => ({
  kind: 'tool',
  toolCallId,
  opens: false,
  child: false,
  closed: false,
  ...more,
});

/** Facts that name a prompt, for each that the record knows and for one that is over. No frame can name the agent's own cycle. */
function naming({ record }: Scene): Frames {
  const cycle = cycleIn(record);
  const own = cycle?.origin === 'agent' ? cycle.generation : null;
  const prompted = [...generationsIn(record)].filter((each) => each !== own);
  return [...prompted, STALE].flatMap(
    (generation): Frames => [
      [{ kind: 'prompt.begun', generation }],
      [{ kind: 'prompt.accepted', generation }],
      [{ kind: 'prompt.rejected', generation }],
      [{ kind: 'prompt.completed', generation, stopReason: 'end_turn' }],
      [{ kind: 'rpc.settled', generation, stopReason: 'end_turn' }],
      [{ kind: 'yielded', generation }],
    ],
  );
}

function levels({ record, universe }: Scene): Frames {
  const odd: Frames = universe.levels.flatMap(
    (level): Frames => [
      [{ kind: 'foreground', level, state: 'requires_action' }],
      [{ kind: 'foreground', level, state: 'unknown' }],
      [{ kind: 'foreground', level, state: 'idle' }],
    ],
  );
  const known = runsIn(record);
  const fresh = ['r1', 'r2', 'r3', 'r4'].find((run) => !known.has(run)) ?? 'r5';
  const runs: Frames = [...known, fresh].flatMap(
    (runId): Frames => [
      [{ kind: 'foreground', level: 'state', state: 'running', runId }],
      [{ kind: 'foreground', level: 'state', state: 'running', runId, agentInitiated: true }],
    ],
  );
  return [...(universe.oddLevels ? odd : []), ...(universe.runs ? runs : [])];
}

/** Every piece of evidence, and frames that say two things at once (S14). */
function work({ work: known, rosters, levels: spoken }: Universe): Frames {
  const [first] = known;
  const each = known.flatMap(
    ({ name, kind }): Frames => [
      [said({ what: 'started', names: [name], kind, detached: true })],
      [said({ what: 'started', names: [name], kind, detached: false })],
      [said({ what: 'detached', names: [name] })],
      [said({ what: 'ended', names: [name] })],
      ...(rosters ? [[list(item({ name, kind }, 'running'))], [list(item({ name, kind }, 'ended'))]] : []),
    ],
  );
  if (first === undefined) return [];
  const unnamed: Frames = [
    [said({ what: 'ended.unnamed', marked: true })],
    [said({ what: 'ended.unnamed', marked: false })],
  ];
  const over = said({ what: 'ended', names: [first.name] });
  const both: Frames = rosters ? [[list(...known.map((one) => item(one, 'running')))]] : [];
  const two: Frames = spoken.map((level): Fact[] => [
    over,
    { kind: 'foreground', level, state: 'idle', stopReason: 'end_turn' },
  ]);
  const forgery: Frames = [[forged({ what: 'started', names: [first.name], kind: first.kind, detached: true })]];
  return [...each, ...unnamed, ...forgery, ...both, ...two, [over, { kind: 'cycle.closed' }]];
}
