import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FC_SEED, steps } from '../test/grow.ts';
import { holdsWhole, SLOW } from '../test/laws.ts';
import { printed } from '../test/print.ts';
import { evidence, forged, namesOf, RULES, SURFACES } from '../test/world.ts';
import type { Evidence } from './attestation.ts';
import { decide } from './decide.ts';
import type { LivenessEvent } from './event.ts';
import type { Fact } from './fact.ts';
import type { JournalEntry } from './journal.ts';

const [RUN, TOOL, CHILD] = namesOf('e', 0);
type Ways = readonly Evidence[];

/** A session with a turn at work, and then these facts, each a frame of its own. */
function told(facts: readonly Fact[]): JournalEntry[] {
  const of = (event: object, at: number): LivenessEvent => ({ sessionId: 's', at, ...event }) as LivenessEvent;
  const loaded = {
    type: 'session.loaded',
    taskId: 't',
    rules: RULES.reported,
    state: 'created',
    stopReason: null,
    error: null,
    unknown: false,
    created: true,
  };
  return [
    of(loaded, 1),
    of({ type: 'prompt.claimed', origin: 'human', executionId: 'e' }, 2),
    of({ type: 'execution.opened', executionId: 'e', traits: SURFACES.claudeV2.traits }, 3),
    of({ type: 'prompt.dispatched', generation: 2 }, 4),
    ...facts.map((fact, index) => of({ type: 'frame.received', executionId: 'e', facts: [fact] }, 5 + index)),
  ].map((event, index) => ({ event, tick: index + 1 }));
}

/** What is live in the end: kind, whether detached, and how many. */
function livesOn(facts: readonly Fact[]): readonly string[] {
  const record = steps(told(facts)).at(-1)?.after;
  const live = [...(record?.executions.values() ?? [])].flatMap((one) => one.registrations);
  return live.map((one) => `${one.kind} ${one.detached}`);
}

const listed = (names: readonly [string, ...string[]], status: 'running' | 'ended' = 'running'): Evidence => ({
  what: 'roster',
  rank: 1,
  items: [{ names, kind: 'subagent', status }],
});
const started = (names: readonly [string, ...string[]], detached = true): Evidence => ({
  what: 'started',
  names,
  kind: 'subagent',
  detached,
});

/** The frames of one run, as surfaces name it: all by one name, or each by its own with one that joins them. */
const LIVES: Readonly<Record<string, { readonly live: Ways; readonly end: Ways }>> = {
  'one name': { live: [listed([RUN]), started([RUN]), started([RUN], false)], end: [{ what: 'ended', names: [RUN] }] },
  'a start that joins': {
    live: [listed([RUN]), started([RUN, TOOL]), started([TOOL, RUN])],
    end: [{ what: 'ended', names: [RUN] }],
  },
  'a name that joins': {
    live: [listed([RUN, TOOL]), { what: 'named', names: [TOOL, RUN] }, started([TOOL, RUN])],
    end: [{ what: 'ended', names: [TOOL, RUN] }],
  },
  'three names': {
    live: [listed([RUN, CHILD]), started([RUN, TOOL]), { what: 'detached', names: [TOOL, RUN] }, started([RUN], false)],
    end: [{ what: 'ended', names: [RUN, CHILD] }],
  },
  'an end on the list': { live: [listed([RUN, TOOL]), started([RUN, TOOL])], end: [listed([RUN], 'ended')] },
};

/** Every order of the frames with some of them doubled. */
const orders = (frames: readonly Evidence[]): fc.Arbitrary<Evidence[]> =>
  fc
    .subarray([...frames])
    .chain((doubled) => fc.shuffledSubarray([...frames, ...doubled], { minLength: frames.length + doubled.length }));

describe('evidence of one run', () => {
  for (const [name, { live, end }] of Object.entries(LIVES)) {
    it(`[P9] [S27] [S32] leaves nothing live in any order and duplication that has its end (${name})`, () => {
      fc.assert(
        fc.property(orders([...live, ...end]), (frames) => {
          const facts = frames.map((each) => evidence(each));
          expect(livesOn(facts), printed(told(facts))).toEqual([]);
        }),
        { seed: FC_SEED, numRuns: 400 },
      );
    });

    it(`[P9] [S20] [S32] is one live run in any order and duplication without its end (${name})`, () => {
      fc.assert(
        fc.property(orders(live), (frames) => {
          const facts = frames.map((each) => evidence(each));
          expect(livesOn(facts), printed(told(facts))).toEqual(['subagent true']);
        }),
        { seed: FC_SEED, numRuns: 200 },
      );
    });
  }

  it('[P9] [P7] [S110] never outlives its execution, whatever order its frames come in', { timeout: SLOW }, () => {
    holdsWhole(({ steps: grown }) => {
      const frames = grown.filter((step) => step.event.type === 'frame.received');
      const ids = new Set(grown.flatMap((step) => (step.after?.executionId == null ? [] : [step.after.executionId])));
      for (const executionId of ids) {
        const own = frames.flatMap(({ event }) =>
          event.type === 'frame.received' && event.executionId === executionId ? event.facts : [],
        );
        const reversed = told([...own].reverse());
        const end: LivenessEvent = {
          type: 'execution.ended',
          executionId: 'e',
          cause: 'stopped',
          error: null,
          sessionId: 's',
          at: 1e6,
        };
        const after = steps([...reversed, { event: end, tick: 1e6 }, ...reversed.slice(4)]).at(-1)?.after;
        if (after?.executions.size !== 0 || after.view.workloads.length > 0 || after.view.activeSubagentCount > 0)
          return 'outlived its execution';
      }
      return null;
    }, 200);
  });
});

/** Words that an agent could be made to say: shapes of attestations, never made by `attest`. */
const anything = fc.jsonValue({ maxDepth: 2 });
const forgery: fc.Arbitrary<Fact> = fc.oneof(
  fc.constantFrom(...Object.values(LIVES).flatMap(({ live, end }) => [...live, ...end])).map(forged),
  anything.map((value) => ({ kind: 'attested', attestation: value }) as unknown as Fact),
  anything.map((value) => ({ kind: 'attested', attestation: { evidence: value } }) as unknown as Fact),
);

describe('frames without an attestation', () => {
  it('[P10] [S23] change nothing when they carry the shape of one', () => {
    const [before] = [steps(told([])).at(-1)?.after ?? null];
    fc.assert(
      fc.property(fc.array(forgery, { minLength: 1, maxLength: 4 }), (facts) => {
        const event: LivenessEvent = { type: 'frame.received', executionId: 'e', facts, sessionId: 's', at: 9 };
        expect(decide(before, event, 99).record).toBe(before);
      }),
      { seed: FC_SEED, numRuns: 500 },
    );
  });

  it('[P10] [S23] [S52] neither count nor make a running session promptable', { timeout: SLOW }, () => {
    holdsWhole(({ steps: grown }) => {
      const stripped = grown.map(({ event, tick }): JournalEntry => {
        if (event.type !== 'frame.received') return { event, tick };
        const facts = event.facts.flatMap((fact): Fact[] =>
          fact.kind === 'attested' ? [forged(fact.attestation.evidence), { kind: 'output' }] : [fact],
        );
        return { event: { ...event, facts }, tick };
      });
      for (const { after } of steps(stripped)) {
        if (after === null) continue;
        if (after.view.activeSubagentCount !== 0 || after.view.workloads.length > 0)
          return `counts ${after.view.activeSubagentCount}\n${printed(stripped)}`;
        if (after.state === 'running' && after.view.inputMode === 'direct')
          return `promptable while running\n${printed(stripped)}`;
      }
      return null;
    }, 400);
  });
});
