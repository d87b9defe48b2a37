import type { LivenessEvent } from '../src/event.ts';
import type { Fact } from '../src/fact.ts';
import type { Cycle, Execution, SessionRecord } from '../src/record.ts';
import { workFact } from './work-moves.ts';
import { type Draw, forged, namesOf, type PolicyName, RULES, SESSIONS, type Surface } from './world.ts';

/** What a step may look at: the present record, what has been, and its own numbers. */
export interface Scene {
  readonly sessionId: string;
  readonly record: SessionRecord | null;
  readonly policy: PolicyName;
  readonly surface: Surface;
  readonly at: number;
  /** Generations that were granted in this session so far. */
  readonly granted: readonly number[];
  /** Executions of this session that have ended. */
  readonly dead: readonly string[];
  readonly freshExecution: string;
  readonly draw: Draw;
}

/** An event without what every event has. */
type Bare<E> = E extends LivenessEvent ? Omit<E, 'sessionId' | 'at'> : never;
type Step = Bare<LivenessEvent>;
type Move = readonly [weight: number, make: () => Step];
type Known = Scene & { readonly record: SessionRecord };

/** The next event of a session, chosen by what is possible and by what is hostile. */
export function nextStep(scene: Scene): Step {
  const { record } = scene;
  if (record === null) return load(scene);
  const known: Known = { ...scene, record };
  return scene.draw.weighted([
    ...admission(known),
    ...foreground(known),
    ...work(known),
    ...ends(known),
    ...stale(known),
  ])();
}

function load({ sessionId, policy, draw }: Scene): Step {
  return {
    type: 'session.loaded',
    taskId: SESSIONS[sessionId] ?? 't1',
    rules: RULES[policy],
    state: draw.weighted([
      [6, 'created'],
      [2, 'idle'],
      [1, 'completed'],
      [1, 'failed'],
      [0.3, 'cancelled'],
    ]),
    stopReason: null,
    error: null,
    unknown: draw.chance(10),
    created: draw.chance(70),
  };
}

const serving = (scene: Known): Execution | undefined =>
  scene.record.executionId === null ? undefined : scene.record.executions.get(scene.record.executionId);

function frame(scene: Known, ...facts: Fact[]): Step {
  const executionId = scene.record.executionId ?? scene.freshExecution;
  const more = scene.draw.chance(15) ? [talk(scene)] : [];
  return { type: 'frame.received', executionId, facts: [...facts, ...more] };
}

function admission(scene: Known): Move[] {
  const { record, draw } = scene;
  const open = record.view.inputMode === 'direct';
  const claim = (origin: 'human' | 'wakeup') => (): Step => ({
    type: 'prompt.claimed',
    origin,
    executionId: scene.freshExecution,
  });
  const moves: Move[] = [
    [open ? (record.state === 'running' ? 12 : 5) : 0.3, claim('human')],
    [open ? 1 : 0.2, claim('wakeup')],
    [record.accounted ? 0.02 : 4, () => ({ type: 'session.accounted' })],
  ];
  const execution = serving(scene);
  if (execution !== undefined) {
    const opened = (): Step => ({ type: 'execution.opened', executionId: execution.id, traits: scene.surface.traits });
    moves.push([execution.opened ? 0.05 : 12, opened]);
  }
  const { foreground } = record;
  if (foreground.kind === 'claimed') {
    const { generation, dispatched } = foreground.claim;
    moves.push(
      [execution?.opened !== true ? 0 : dispatched ? 0.1 : 8, () => ({ type: 'prompt.dispatched', generation })],
      [0.5, () => ({ type: 'prompt.released', generation })],
      [!execution?.opened ? 0 : dispatched ? 2 : 0.05, () => frame(scene, { kind: 'prompt.begun', generation })],
      [dispatched ? 1 : 0.05, () => frame(scene, { kind: 'rpc.settled', generation, stopReason: 'end_turn' })],
    );
  }
  if (record.inFlight !== null) {
    const generation = record.inFlight;
    const unheard = execution?.opened === true ? 0.05 : 0;
    const sent = foreground.kind !== 'claimed' || foreground.claim.dispatched;
    moves.push(
      [sent ? 4 : unheard, () => frame(scene, { kind: 'prompt.accepted', generation })],
      [sent ? 0.4 : 0.05, () => frame(scene, { kind: 'prompt.rejected', generation })],
      [0.2, () => ({ type: 'prompt.released', generation })],
    );
  }
  const over = scene.record.cancelling;
  if (over !== null) moves.push([2.5, () => ({ type: 'cancel.expired', generation: over })]);
  moves.push([foreground.kind === 'free' ? 0.1 : 0.5, () => cancel(draw, record)]);
  return moves;
}

function cancel(draw: Draw, record: SessionRecord): Step {
  return { type: 'cancel.requested', generation: draw.chance(50) ? null : record.view.generation };
}

function cycleAt(scene: Known): Cycle | null {
  const { foreground } = scene.record;
  const ground = foreground.kind === 'claimed' ? foreground.under : foreground;
  return ground.kind === 'free' ? null : ground.cycle;
}

/** Output and tool frames. */
function talk({ draw, record }: Known): Fact {
  const call = () =>
    `${draw.chance(60) ? namesOf(record.executionId ?? 'x', draw.below(5))[1].slice(5) : `call-${draw.below(3)}`}`;
  return draw.weighted<() => Fact>([
    [4, () => ({ kind: 'output' })],
    [0.5, () => ({ kind: 'output', ended: true })],
    [3, () => ({ kind: 'tool', toolCallId: call(), opens: true, child: draw.chance(20), closed: false })],
    [0.5, () => ({ kind: 'tool', toolCallId: call(), opens: true, child: false, background: true, closed: false })],
    [
      2,
      () => ({ kind: 'tool', toolCallId: call(), opens: false, child: false, content: draw.chance(50), closed: true }),
    ],
  ])();
}

function report({ draw, surface, record }: Known, state: 'running' | 'idle' | 'requires_action' | 'unknown'): Fact {
  const level = surface.levels.length === 0 ? 'state' : draw.of(surface.levels);
  const runId = level === 'state' && draw.chance(30) ? { runId: `r${record.view.generation ?? draw.below(3)}` } : {};
  if (state === 'idle')
    return { kind: 'foreground', level, state, ...runId, ...(draw.chance(60) ? { stopReason: 'end_turn' } : {}) };
  return { kind: 'foreground', level, state, ...runId, ...(draw.chance(15) ? { agentInitiated: true } : {}) };
}

function foreground(scene: Known): Move[] {
  const { surface, draw } = scene;
  if (serving(scene) === undefined) return [];
  const cycle = cycleAt(scene);
  const levels = surface.levels.length > 0;
  const busy = cycle !== null;
  const moves: Move[] = [
    [busy ? 2 : 1, () => frame(scene, talk(scene))],
    [levels ? 1.5 : 0.05, () => frame(scene, report(scene, 'running'))],
    [levels ? (busy ? 2 : 0.7) : 0.05, () => frame(scene, report(scene, 'idle'))],
    [levels ? 0.3 : 0.02, () => frame(scene, report(scene, 'requires_action'))],
    [levels ? 0.2 : 0.02, () => frame(scene, report(scene, 'unknown'))],
    [cycle?.origin === 'agent' ? 1.5 : 0.1, () => frame(scene, { kind: 'cycle.closed' })],
  ];
  if (cycle !== null) {
    const { generation } = cycle;
    const stopReason = draw.of(['end_turn', 'refusal']);
    moves.push(
      [cycle.rpc === 'open' ? 1.2 : 0.05, () => frame(scene, { kind: 'rpc.settled', generation, stopReason })],
      [0.5, () => frame(scene, { kind: 'prompt.completed', generation, stopReason })],
      [surface.traits.handoff && cycle.rpc === 'open' ? 5 : 0.3, () => frame(scene, { kind: 'yielded', generation })],
    );
  }
  return moves;
}

function work(scene: Known): Move[] {
  const execution = serving(scene);
  if (execution === undefined) return [];
  const { draw, surface } = scene;
  const live = execution.registrations[0];
  const fact = () => workFact({ execution, surface, draw });
  return [
    [live === undefined ? 3 : 4, () => frame(scene, fact())],
    [0.5, () => frame(scene, fact(), fact())],
    [0.1, () => frame(scene, { kind: 'armed', mayWake: draw.chance(70) })],
    [
      0.1,
      () =>
        frame(scene, forged({ what: 'started', names: namesOf(execution.id, 0), kind: 'subagent', detached: true })),
    ],
    [
      live === undefined ? 0 : 0.4,
      () => ({ type: 'stop.requested', executionId: execution.id, workloadId: live?.names[0] ?? '' }),
    ],
  ];
}

function ends(scene: Known): Move[] {
  const { record, draw } = scene;
  const execution = serving(scene);
  const moves: Move[] = [
    [0.5, () => ({ type: 'time.passed' })],
    [0.04, () => ({ type: 'session.removed' })],
  ];
  if (execution !== undefined) {
    const cause = draw.of(['stopped', 'completed', 'failed', 'crashed', 'stopped', 'crashed', 'cancelled'] as const);
    moves.push(
      [execution.lost ? 4 : 0.35, () => ({ type: 'execution.ended', executionId: execution.id, cause, error: null })],
      [execution.lost ? 0.1 : 0.15, () => ({ type: 'execution.lost', executionId: execution.id })],
    );
  }
  return record.state === 'cancelled' ? [...moves, [2, () => ({ type: 'session.removed' })]] : moves;
}

/** What comes too late: operations with old tokens, frames and teardown of dead executions. */
function stale({ draw, granted, dead, surface, record }: Known): Move[] {
  const moves: Move[] = [];
  const opened = record.executionId !== null && record.executions.get(record.executionId)?.opened === true;
  const nameable = granted.filter((each) => opened || each !== record.view.generation);
  if (nameable.length > 0) {
    const generation = draw.of(nameable);
    const facts: readonly Fact[] = [
      { kind: 'prompt.begun', generation },
      { kind: 'prompt.accepted', generation },
      { kind: 'prompt.rejected', generation },
      { kind: 'prompt.completed', generation },
      { kind: 'rpc.settled', generation, stopReason: 'end_turn' },
      { kind: 'yielded', generation },
    ];
    const executionId = dead.length > 0 && draw.chance(30) ? draw.of(dead) : (record.executionId ?? 'nobody');
    moves.push(
      [generation === record.view.generation ? 0 : 0.2, () => ({ type: 'prompt.dispatched', generation })],
      [0.2, () => ({ type: 'prompt.released', generation })],
      [0.15, () => ({ type: 'cancel.expired', generation })],
      [0.05, () => ({ type: 'cancel.requested', generation })],
      [0.4, () => ({ type: 'frame.received', executionId, facts: [draw.of(facts)] })],
    );
  }
  if (dead.length > 0) {
    const executionId = draw.of(dead);
    moves.push(
      [0.3, () => ({ type: 'frame.received', executionId, facts: [lateFact(executionId, draw)] })],
      [0.2, () => ({ type: 'execution.ended', executionId, cause: 'cancelled', error: 'late' })],
      [0.1, () => ({ type: 'execution.opened', executionId, traits: surface.traits })],
      [0.1, () => ({ type: 'execution.lost', executionId })],
      [0.1, () => ({ type: 'stop.requested', executionId, workloadId: namesOf(executionId, 0)[0] })],
    );
  }
  return moves;
}

function lateFact(execution: string, draw: Draw): Fact {
  const registrations = [] as const;
  const surface: Surface = { traits: { ...NOTHING_AGREED, reports: true }, levels: [] };
  return draw.chance(60)
    ? workFact({ execution: { id: execution, registrations }, surface, draw })
    : { kind: 'output' };
}

const NOTHING_AGREED = {
  handoff: false,
  wakes: false,
  agentCycles: false,
  levels: 0,
  rpc: 'held',
  begins: 'written',
  cancelKills: [],
} as const;
