import { describe, it } from 'vitest';
import type { History } from '../test/grow.ts';
import { holdsWhole, RUNS, SLOW } from '../test/laws.ts';
import { SESSIONS } from '../test/world.ts';
import { Journal, replay } from './journal.ts';
import { Tracker } from './tracker.ts';
import type { Change, SessionView } from './view.ts';

const isOfSession = (change: Change): change is Extract<Change, { view: SessionView }> => 'view' in change;

/** The aggregate of a task over the views that were last told of its sessions, by a sum of its own (S90). */
function sumOf(views: readonly SessionView[]): string {
  const has = (tier: string) => views.some((view) => view.foregroundActivity === tier);
  const certain = views.some((view) => view.foregroundActivity === 'generating' && view.liveness === 'live');
  const unknown = views.some((view) => view.liveness === 'unknown') && !certain;
  const count = views.reduce((sum, view) => sum + view.activeSubagentCount, 0);
  return `${has('generating') ? 'generating' : has('background') ? 'background' : null} ${count} ${unknown ? 'unknown' : 'live'}`;
}

function revisionProblem({ changes }: History): string | null {
  let last = 0;
  for (const { revision, type } of changes) {
    if (revision <= last) return `revision ${revision} of ${type} after ${last}`;
    last = revision;
  }
  return null;
}

/** Each task is told exactly the sums of its sessions, each when it comes about and none twice. */
function aggregateProblem({ steps, changes }: History): string | null {
  const views = new Map<string, SessionView>();
  const expected: string[] = [];
  const told = new Map<string, string>();
  const tasks = [...new Set(Object.values(SESSIONS))];
  for (const { event, after } of steps) {
    if (after === null) views.delete(event.sessionId);
    else views.set(event.sessionId, after.view);
    const seen = new Set(
      [...steps].slice(0, steps.findIndex((step) => step.event === event) + 1).map((step) => step.event.sessionId),
    );
    for (const task of tasks) {
      const members = Object.keys(SESSIONS).filter((id) => SESSIONS[id] === task);
      if (!members.every((id) => seen.has(id))) continue;
      const sum = sumOf(members.flatMap((id) => views.get(id) ?? []));
      if (told.get(task) !== sum) expected.push(`${task} ${sum}`);
      told.set(task, sum);
    }
  }
  const got = changes.flatMap((change) =>
    change.type === 'task.updated'
      ? [
          `${change.taskId} ${change.activity.foregroundActivity} ${change.activity.activeSubagentCount} ${change.activity.liveness}`,
        ]
      : [],
  );
  const at = expected.findIndex((each, index) => each !== got[index]);
  return at === -1 && got.length === expected.length
    ? null
    : `task told ${got[at]} where its sessions sum to ${expected[at]} (${at})`;
}

describe('the tracker', () => {
  it('[P4] [S101] numbers what it tells upwards, so that each session only moves forward', { timeout: SLOW }, () => {
    holdsWhole(revisionProblem, RUNS);
  });

  it('[P5] [P2] [S90] [S91] [S92] [S93] tells each task the sums of its sessions in the order they come about', {
    timeout: SLOW,
  }, () => {
    holdsWhole(aggregateProblem, RUNS);
  });

  it('[P2] [S100] tells with each change the view that the session then has', { timeout: SLOW }, () => {
    holdsWhole(({ steps, changes, tracker }) => {
      const byTick = new Map(steps.map((step) => [step.tick, step]));
      let view: SessionView | undefined;
      for (const change of changes.filter(isOfSession)) {
        view = byTick.get(change.revision)?.after?.view ?? view;
        if (JSON.stringify(change.view) !== JSON.stringify(view)) return `told another view at ${change.revision}`;
      }
      for (const id of Object.keys(SESSIONS)) {
        const last = steps.findLast((step) => step.event.sessionId === id)?.after?.view;
        if (JSON.stringify(tracker.view(id)) !== JSON.stringify(last)) return `view of ${id} differs from its record`;
      }
      return null;
    }, RUNS);
  });

  it('[S111] [P3] is reproduced exactly by its journal', { timeout: SLOW }, () => {
    holdsWhole(({ steps }) => {
      const journal = new Journal();
      for (const { event, tick } of steps) journal.record(event, tick);
      const again = replay(journal.entries);
      for (const id of Object.keys(SESSIONS)) {
        const last = steps.findLast((step) => step.event.sessionId === id)?.after ?? undefined;
        if (show(again.get(id)) !== show(last)) return `replay of ${id} differs`;
      }
      return null;
    }, RUNS);
  });

  it('[P7] [S110] [S111] keeps nothing of sessions that were removed', { timeout: SLOW }, () => {
    holdsWhole(({ tracker, changes }) => {
      for (const sessionId of Object.keys(SESSIONS)) tracker.apply({ type: 'session.removed', sessionId, at: 1e9 });
      const from = changes.length;
      const late = [
        { type: 'frame.received', executionId: 'e1', facts: [{ kind: 'output' }] },
        { type: 'execution.ended', executionId: 'e1', cause: 'stopped', error: null },
        { type: 'prompt.released', generation: 1 },
        { type: 'time.passed' },
      ] as const;
      for (const sessionId of Object.keys(SESSIONS)) {
        for (const event of late) tracker.apply({ ...event, sessionId, at: 1e9 + 1 });
        if (tracker.view(sessionId) !== undefined || !tracker.isReleased(sessionId)) return `kept ${sessionId}`;
      }
      if (changes.length > from) return `told ${changes[from]?.type} of a session that was removed`;
      const kept = [...new Set(Object.values(SESSIONS))]
        .map((id) => tracker.activityOf(id))
        .filter((each) => each !== null);
      return kept.some((each) => each.foregroundActivity !== null || each.activeSubagentCount !== 0)
        ? 'kept an aggregate'
        : null;
    }, 300);
  });

  it('[S94] [S102] tells what is applied from within a change after that change', () => {
    const order: string[] = [];
    const tracker: Tracker = new Tracker({
      onDeadline: () => undefined,
      onChange: ({ type, revision }) => {
        order.push(`${type} ${revision}`);
        if (type === 'session.created') tracker.apply({ type: 'session.removed', sessionId: 's', at: 2 });
      },
    });
    tracker.loadTask('t', []);
    const rules = { fine: false, reported: false, settleAfterMs: 1 };
    tracker.apply({
      type: 'session.loaded',
      sessionId: 's',
      taskId: 't',
      rules,
      state: 'idle',
      stopReason: null,
      error: null,
      unknown: true,
      created: true,
      at: 1,
    });
    const types = order.map((each) => each.split(' ')[0]);
    if (types.join() !== 'session.created,task.updated,session.deleted,task.updated') throw new Error(types.join());
  });
});

/** All of a record as text, maps and sets included. */
function show(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (each instanceof Map || each instanceof Set ? [...each] : each));
}
