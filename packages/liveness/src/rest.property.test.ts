import { describe, it } from 'vitest';
import { type History, steps } from '../test/grow.ts';
import { holdsWhole, SLOW } from '../test/laws.ts';
import { printed } from '../test/print.ts';
import { ENDINGS, type Ending, restStep } from '../test/rest.ts';
import { decide, isReleased } from './decide.ts';
import type { LivenessEvent } from './event.ts';
import type { SessionRecord } from './record.ts';

const ROUNDS = 60;

function atRest(record: SessionRecord): boolean {
  const { state, view } = record;
  const settled =
    !['running', 'starting'].includes(state) && view.foregroundActivity === null && !view.awaitingFollowUp;
  return settled && record.foreground.kind === 'free' && record.inFlight === null && record.cancelling === null;
}

/** Lets the agent say its last words, then time pass. Answers what is still at work after all of it, or null. */
function unrest(start: SessionRecord, ending: Ending, at: number): string | null {
  let record = start;
  let tick = 1_000_000;
  let now = at;
  for (let round = 0; round < ROUNDS; round += 1) {
    if (atRest(record)) return null;
    const step = restStep(record, round, ending);
    if (step === null) break;
    tick += 1;
    now += 10_000;
    const after = decide(record, { ...step, sessionId: record.sessionId, at: now } as LivenessEvent, tick).record;
    if (after === null) return null;
    record = after;
  }
  if (atRest(record)) return null;
  const { state, foreground, inFlight, cancelling } = record;
  return `unrest ${state} ${JSON.stringify(foreground)} in flight ${inFlight} cancelling ${cancelling} (${ending})`;
}

/** What stays at work in the last record of each session, whatever order it ends in. */
function restless({ steps: grown }: Pick<History, 'steps'>): string | null {
  const last = new Map(grown.map((step) => [step.event.sessionId, step]));
  for (const { after, event } of last.values()) {
    for (const ending of after === null ? [] : ENDINGS) {
      const problem = after === null ? null : unrest(after, ending, event.at);
      if (problem !== null) return problem;
    }
  }
  return null;
}

describe('work', () => {
  it('[S10] [S6] [S12] [S59] never stays for ever: from every record the agent can come to rest', {
    timeout: SLOW,
  }, () => {
    holdsWhole(({ steps: grown }) => {
      for (let length = 5; length <= grown.length; length += 5) {
        const problem = restless({ steps: grown.slice(0, length) });
        if (problem !== null) return `${problem}\n${printed(smallest(grown.slice(0, length), problem))}`;
      }
      return null;
    }, 300);
  });

  it('[P7] [S110] [S111] leaves nothing when its execution ends, from every record', { timeout: SLOW }, () => {
    holdsWhole(({ steps: grown }) => {
      for (const { after, event } of grown) {
        if (after === null || after.executionId === null) continue;
        const { executionId } = after;
        const ended = {
          type: 'execution.ended',
          executionId,
          cause: 'stopped',
          error: null,
          sessionId: after.sessionId,
          at: event.at,
        } as const;
        const once = decide(after, ended, 1_000_000).record;
        if (
          once === null ||
          !isReleased(once) ||
          once.view.workloads.length > 0 ||
          once.view.foregroundActivity !== null
        ) {
          return 'retained something after the end of its execution';
        }
        if (decide(once, ended, 1_000_001).record !== once) return 'second end changed the record';
      }
      return null;
    }, 300);
  });
});

/** The fewest of the steps that show the same kind of unrest. */
function smallest(grown: History['steps'], problem: string) {
  let kept = grown;
  for (let at = 0; at < kept.length; ) {
    const fewer = steps(kept.filter((_, index) => index !== at));
    if (restless({ steps: fewer })?.split(' ')[1] === problem.split(' ')[1]) kept = fewer;
    else at += 1;
  }
  return kept;
}
