import { describe, it } from 'vitest';
import { type Step, steps } from '../test/grow.ts';
import { holdsWhole, RUNS, SLOW } from '../test/laws.ts';
import { printed } from '../test/print.ts';
import { evidence, namesOf, SURFACES } from '../test/world.ts';
import { decide } from './decide.ts';
import type { LivenessEvent } from './event.ts';
import type { Fact } from './fact.ts';
import type { JournalEntry } from './journal.ts';

/** What may still come of an execution that is dead: all that it could have sent, its tokens, and its teardown again. */
function lateOf(executionId: string, generations: readonly number[]): readonly LateEvent[] {
  const facts: Fact[] = [
    { kind: 'output' },
    { kind: 'tool', toolCallId: 'c', opens: true, child: false, closed: false },
    { kind: 'foreground', level: 'state', state: 'running', runId: 'late' },
    { kind: 'foreground', level: 'state', state: 'idle', stopReason: 'end_turn' },
    { kind: 'cycle.closed' },
    { kind: 'armed', mayWake: true },
    evidence({ what: 'started', names: namesOf(executionId, 0), kind: 'subagent', detached: true }),
    evidence({ what: 'roster', rank: 9, items: [{ names: ['late'], kind: 'shell', status: 'running' }] }),
    ...generations.flatMap((generation): Fact[] => [
      { kind: 'prompt.begun', generation },
      { kind: 'prompt.accepted', generation },
      { kind: 'prompt.rejected', generation },
      { kind: 'prompt.completed', generation },
      { kind: 'rpc.settled', generation, stopReason: 'end_turn' },
      { kind: 'yielded', generation },
    ]),
  ];
  return [
    ...facts.map((fact): LateEvent => ({ type: 'frame.received', executionId, facts: [fact] })),
    { type: 'frame.received', executionId, facts },
    { type: 'execution.opened', executionId, traits: SURFACES.claudeV2.traits },
    { type: 'execution.lost', executionId },
    { type: 'execution.ended', executionId, cause: 'cancelled', error: 'late' },
    { type: 'stop.requested', executionId, workloadId: namesOf(executionId, 0)[0] },
    ...generations.flatMap((generation): LateEvent[] => [
      { type: 'prompt.dispatched', generation },
      { type: 'prompt.released', generation },
      { type: 'cancel.requested', generation },
      { type: 'cancel.expired', generation },
    ]),
  ];
}

type Bare<E> = E extends LivenessEvent ? Omit<E, 'sessionId' | 'at'> : never;
type LateEvent = Bare<LivenessEvent>;

/** Executions that ended before each step, with the generations that were granted in them. */
function* lives(grown: readonly Step[]): Generator<{ step: Step; dead: ReadonlyMap<string, readonly number[]> }> {
  const bySession = new Map<string, { dead: Map<string, readonly number[]>; now: number[] }>();
  for (const step of grown) {
    const { event, before, after } = step;
    const life = bySession.get(event.sessionId) ?? { dead: new Map<string, readonly number[]>(), now: [] as number[] };
    bySession.set(event.sessionId, life);
    if (after?.foreground.kind === 'claimed') life.now.push(after.foreground.claim.generation);
    for (const id of before?.executions.keys() ?? []) {
      if (after?.executions.has(id) !== true) life.dead.set(id, [...new Set(life.now.splice(0))]);
    }
    yield { step, dead: life.dead };
  }
}

describe('teardown', () => {
  it('[P6] [S45] [S110] [S112] leaves the very same record of a successor, whatever still comes of the dead', {
    timeout: SLOW,
  }, () => {
    holdsWhole(({ steps: grown }) => {
      for (const { step, dead } of lives(grown)) {
        const { after, event } = step;
        if (after === null) continue;
        for (const [executionId, generations] of [...dead].slice(-2)) {
          for (const late of lateOf(executionId, generations)) {
            const whole = { ...late, sessionId: event.sessionId, at: event.at } as LivenessEvent;
            if (decide(after, whole, 1_000_000).record !== after)
              return `late ${JSON.stringify(late)} changed the record`;
          }
        }
      }
      return null;
    }, 150);
  });

  it('[P6] [S117] lets a successor live as if its predecessor had never been', { timeout: SLOW }, () => {
    holdsWhole(({ steps: grown }) => {
      for (const id of new Set(grown.map((step) => step.event.sessionId))) {
        const own = grown.filter((step) => step.event.sessionId === id);
        const start = own.findLastIndex(
          ({ before, after }) => before?.executionId === null && after !== null && after.executionId !== null,
        );
        const begun = own[start];
        const first = own[0];
        if (start < 2 || begun === undefined || begun.before === null || first?.event.type !== 'session.loaded')
          continue;
        const { state, stopReason, error, accounted } = begun.before;
        const loaded: JournalEntry = {
          tick: 0,
          event: { ...first.event, state, stopReason, error, unknown: !accounted },
        };
        const alone = steps([loaded, ...own.slice(start)]).at(-1)?.after?.view;
        const real = own.at(-1)?.after?.view;
        const shown = (view: typeof real) => JSON.stringify({ ...view, activityRevision: 0 });
        if (shown(alone) !== shown(real))
          return `successor reads ${shown(real)}, alone ${shown(alone)}\n${printed(own)}`;
      }
      return null;
    }, RUNS);
  });
});
