import { describe, expect, it } from 'vitest';
import { evidence, namesOf, RULES, SURFACES, type SurfaceName } from '../test/world.ts';
import { decide } from './decide.ts';
import type { LivenessEvent, Rules } from './event.ts';
import type { Fact } from './fact.ts';
import type { SessionRecord } from './record.ts';

type Bare<E> = E extends LivenessEvent ? Omit<E, 'sessionId' | 'at'> : never;
const [RUN, TOOL] = namesOf('e', 0);

/** Plays events on one session; a list of facts is a frame. Ticks count from 1, so the first prompt is generation 2. */
function play(
  events: readonly (Bare<LivenessEvent> | readonly Fact[])[],
  surface: SurfaceName,
  rules: Rules = RULES.fine,
): SessionRecord {
  const loaded: Bare<LivenessEvent> = {
    type: 'session.loaded',
    taskId: 't',
    rules,
    state: 'created',
    stopReason: null,
    error: null,
    unknown: false,
    created: true,
  };
  const opened: Bare<LivenessEvent> = { type: 'execution.opened', executionId: 'e', traits: SURFACES[surface].traits };
  const claimed: Bare<LivenessEvent> = { type: 'prompt.claimed', origin: 'human', executionId: 'e' };
  let record: SessionRecord | null = null;
  for (const [index, each] of [loaded, claimed, opened, ...events].entries()) {
    const bare = Array.isArray(each) ? { type: 'frame.received', executionId: 'e', facts: each } : each;
    record = decide(record, { ...bare, sessionId: 's', at: 1000 + index } as LivenessEvent, index + 1).record;
  }
  if (record === null) throw new Error('expected a record, got none');
  return record;
}

const sent: Bare<LivenessEvent> = { type: 'prompt.dispatched', generation: 2 };
const blocking = evidence({ what: 'started', names: [TOOL], kind: 'subagent', detached: false });
const launched = evidence({ what: 'started', names: [RUN], kind: 'subagent', detached: true });

describe('found by properties', () => {
  it('[S6] [S55] blocking work of a prompt that was rolled back goes with it', () => {
    const record = play([[blocking], { type: 'prompt.released', generation: 2 }], 'claudeV1');
    expect(record.view).toMatchObject({ state: 'waiting_for_input', activeSubagentCount: 0, workloads: [] });
  });

  it('[S65] [S131] a cancelled successor that was sent takes the kinds along that die with a cancel', () => {
    const record = play(
      [
        sent,
        [{ kind: 'prompt.accepted', generation: 2 }, launched],
        [{ kind: 'yielded', generation: 2 }],
        { type: 'prompt.claimed', origin: 'human', executionId: 'e' },
        { type: 'prompt.dispatched', generation: 7 },
        { type: 'cancel.requested', generation: 7 },
        { type: 'cancel.expired', generation: 7 },
      ],
      'claudeV1',
    );
    expect(record.view.activeSubagentCount).toBe(0);
  });

  it('[S13] [S78] running after an end of a completed prompt does not free it while its RPC is open', () => {
    const record = play(
      [
        sent,
        [
          { kind: 'prompt.accepted', generation: 2 },
          { kind: 'prompt.completed', generation: 2 },
        ],
        [{ kind: 'foreground', level: 'state', state: 'idle', stopReason: 'end_turn' }],
        [{ kind: 'foreground', level: 'state', state: 'running' }],
      ],
      'hermes',
    );
    expect(record.foreground).toMatchObject({ kind: 'held', cycle: { generation: 2, origin: 'human' } });
  });

  it('[S13] [S121] the second of two levels still ends a run that the first has ended', () => {
    const record = play(
      [
        { type: 'prompt.released', generation: 2 },
        [{ kind: 'foreground', level: 'state', state: 'running', runId: 'r' }],
        [{ kind: 'foreground', level: 'raw', state: 'running' }],
        [{ kind: 'foreground', level: 'state', state: 'idle' }],
        [{ kind: 'foreground', level: 'raw', state: 'idle' }],
      ],
      'claudeV2',
    );
    expect(record.view.state).toBe('waiting_for_input');
  });
});
