import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FC_SEED } from '../test/grow.ts';
import { holdsWhole, SLOW } from '../test/laws.ts';
import { evidence, RULES, SURFACE_NAMES, SURFACES } from '../test/world.ts';
import type { Evidence } from './attestation.ts';
import { decide } from './decide.ts';
import type { LivenessEvent } from './event.ts';
import type { Fact } from './fact.ts';
import type { SessionRecord } from './record.ts';

const id = fc.constantFrom('e1', 'e2', 'e5', '');
const number = fc.constantFrom(-1, 0, 1, 2, 7, Number.NaN, Number.MAX_SAFE_INTEGER);
const text = fc.constantFrom('', 'a', '__proto__', 'tool:c', 'run:e1/0');
const names = fc.array(text, { minLength: 1, maxLength: 3 }).map((list) => list as [string, ...string[]]);
const kind = fc.constantFrom('subagent' as const, 'shell' as const, 'monitor' as const, 'other' as const);
const flag = fc.boolean();

const said: fc.Arbitrary<Evidence> = fc.oneof(
  fc.record({ what: fc.constant('started' as const), names, kind, detached: flag }),
  fc.record({ what: fc.constantFrom('ended' as const, 'detached' as const, 'named' as const), names }),
  fc.record({ what: fc.constant('ended.unnamed' as const), marked: flag }),
  fc.record({
    what: fc.constant('roster' as const),
    rank: number,
    items: fc.array(fc.record({ names, kind, status: fc.constantFrom('running' as const, 'ended' as const) }), {
      maxLength: 3,
    }),
  }),
);

const fact: fc.Arbitrary<Fact> = fc.oneof(
  said.map(evidence),
  fc.record({ kind: fc.constant('output' as const), ended: flag }),
  fc.record({
    kind: fc.constant('tool' as const),
    toolCallId: text,
    opens: flag,
    child: flag,
    background: flag,
    content: flag,
    closed: flag,
  }),
  fc.record({
    kind: fc.constantFrom(
      'prompt.begun' as const,
      'prompt.accepted' as const,
      'prompt.rejected' as const,
      'prompt.completed' as const,
      'yielded' as const,
    ),
    generation: number,
  }),
  fc.record({ kind: fc.constant('rpc.settled' as const), generation: number, stopReason: text }),
  fc.record({
    kind: fc.constant('foreground' as const),
    level: fc.constantFrom('state' as const, 'raw' as const),
    state: fc.constantFrom('running' as const, 'idle' as const, 'unknown' as const, 'requires_action' as const),
    runId: text,
    agentInitiated: flag,
  }),
  fc.constant<Fact>({ kind: 'cycle.closed' }),
  flag.map((mayWake): Fact => ({ kind: 'armed', mayWake })),
);

const header = { sessionId: fc.constant('s'), at: number };
const generation = number;
const event: fc.Arbitrary<LivenessEvent> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      ...header,
      type: fc.constant('frame.received' as const),
      executionId: id,
      facts: fc.array(fact, { maxLength: 4 }),
    }),
  },
  fc.record({
    ...header,
    type: fc.constantFrom('session.accounted' as const, 'session.removed' as const, 'time.passed' as const),
  }),
  fc.record({
    ...header,
    type: fc.constant('prompt.claimed' as const),
    origin: fc.constantFrom('human' as const, 'wakeup' as const),
    executionId: id,
  }),
  fc.record({
    ...header,
    type: fc.constantFrom('prompt.dispatched' as const, 'prompt.released' as const, 'cancel.expired' as const),
    generation,
  }),
  fc.record({ ...header, type: fc.constant('cancel.requested' as const), generation: fc.option(number) }),
  fc.record({
    ...header,
    type: fc.constant('execution.opened' as const),
    executionId: id,
    traits: fc.constantFrom(...SURFACE_NAMES).map((name) => SURFACES[name].traits),
  }),
  fc.record({ ...header, type: fc.constant('execution.lost' as const), executionId: id }),
  fc.record({
    ...header,
    type: fc.constant('execution.ended' as const),
    executionId: id,
    cause: fc.constantFrom('stopped' as const, 'crashed' as const, 'cancelled' as const),
    error: fc.constant(null),
  }),
  fc.record({ ...header, type: fc.constant('stop.requested' as const), executionId: id, workloadId: text }),
  fc.record({
    ...header,
    type: fc.constant('session.loaded' as const),
    taskId: text,
    rules: fc.constantFrom(...Object.values(RULES)),
    state: fc.constantFrom(
      'created' as const,
      'starting' as const,
      'running' as const,
      'waiting_for_input' as const,
      'cancelled' as const,
    ),
    stopReason: fc.constant(null),
    error: fc.constant(null),
    unknown: flag,
    created: flag,
  }),
);

/** Freezes all that a record is made of, so that a step that writes to it throws. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  if (value instanceof Map) for (const each of value.values()) frozen(each);
  for (const each of Object.values(value)) frozen(each);
  return value;
}

describe('decide', () => {
  it('[S14] [S45] is total: no event in any record, however odd, makes it throw or write to what it was given', {
    timeout: SLOW,
  }, () => {
    fc.assert(
      fc.property(fc.array(event, { minLength: 20, maxLength: 60, size: 'max' }), (events) => {
        let record: SessionRecord | null = null;
        for (const [index, each] of events.entries()) {
          const decision: ReturnType<typeof decide> = decide(record, frozen(each), index + 1);
          record = frozen(decision.record);
        }
      }),
      { seed: FC_SEED, numRuns: 300 },
    );
  });

  it('[S14] publishes at most one transition of a kind for one event', { timeout: SLOW }, () => {
    holdsWhole(({ steps }) => {
      const doubled = steps.find(({ transitions }) => new Set(transitions).size !== transitions.length);
      expect(doubled).toBeUndefined();
      return null;
    }, 300);
  });
});
