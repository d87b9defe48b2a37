import { describe, expect, it } from 'vitest';
import {
  isWorking,
  type SessionState,
  type SessionSubject,
  STATUS_KINDS,
  STATUSES,
  type StatusKind,
  statusOf,
  type TaskState,
  type TaskSubject,
  type Tier,
} from './status.ts';

const STATES: readonly SessionState[] = [
  'created',
  'starting',
  'running',
  'waiting_for_input',
  'idle',
  'completed',
  'failed',
  'cancelled',
];
const TASK_STATES: readonly TaskState[] = ['backlog', 'in_progress', 'review', 'done'];
const TIERS: readonly (Tier | null)[] = ['generating', 'background', null];
const LIVENESS = ['live', 'unknown'] as const;
const REQUESTS = [[], ['permission'], ['clarification'], ['clarification', 'permission']] as const;
const EXECUTIONS = [null, 'exec_1'] as const;

const session = (over: Partial<SessionSubject> = {}): SessionSubject => ({
  state: 'waiting_for_input',
  executionId: 'exec_1',
  foregroundActivity: null,
  liveness: 'live',
  pendingRequests: [],
  createdAt: '2026-01-01T00:00:00.000Z',
  ...over,
});

const task = (over: Partial<TaskSubject> = {}): TaskSubject => ({
  state: 'in_progress',
  foregroundActivity: null,
  liveness: 'live',
  pendingPermission: false,
  pendingClarification: false,
  ...over,
});

const asking = (...kinds: readonly ('permission' | 'clarification')[]) => kinds.map((kind) => ({ kind }));

/** Every session there can be. */
function* sessions(): Generator<SessionSubject> {
  for (const state of STATES)
    for (const executionId of EXECUTIONS)
      for (const foregroundActivity of TIERS)
        for (const liveness of LIVENESS)
          for (const kinds of REQUESTS)
            yield session({ state, executionId, foregroundActivity, liveness, pendingRequests: asking(...kinds) });
}

function* tasks(): Generator<TaskSubject> {
  for (const state of TASK_STATES)
    for (const foregroundActivity of TIERS)
      for (const liveness of LIVENESS)
        for (const pendingPermission of [true, false])
          for (const pendingClarification of [true, false])
            yield task({ state, foregroundActivity, liveness, pendingPermission, pendingClarification });
}

describe('[W1] status of a session', () => {
  /** The precedence, written as the specification has it. */
  function expected(s: SessionSubject): StatusKind {
    const current = s.executionId !== null && (s.state === 'running' || s.state === 'waiting_for_input');
    if (current && s.pendingRequests.some((r) => r.kind === 'permission')) return 'permission';
    if (current && s.pendingRequests.some((r) => r.kind === 'clarification')) return 'clarification';
    if (s.liveness === 'unknown') return 'unknown';
    if (s.foregroundActivity === 'generating') return 'generating';
    if (s.foregroundActivity === 'background') return 'background';
    const coarse: Record<SessionState, StatusKind> = {
      created: 'created',
      starting: 'starting',
      running: 'generating',
      waiting_for_input: 'ready',
      idle: 'idle',
      completed: 'done',
      failed: 'failed',
      cancelled: 'cancelled',
    };
    return coarse[s.state];
  }

  it('[W1] follows the precedence for every session there can be', () => {
    const all = [...sessions()];
    expect(all).toHaveLength(8 * 2 * 3 * 2 * 4);
    for (const each of all) expect(statusOf(each).kind, JSON.stringify(each)).toBe(expected(each));
  });

  it.each(STATES.filter((state) => state !== 'running' && state !== 'waiting_for_input'))(
    '[W1] ignores stale pending requests of a session that is %s',
    (state) => {
      const stale = session({ state, pendingRequests: asking('permission', 'clarification') });
      expect(statusOf(stale).kind).not.toMatch(/permission|clarification/);
    },
  );

  it.each(['running', 'waiting_for_input'] as const)(
    '[W1] ignores pending requests while %s without an execution',
    (state) => {
      expect(statusOf(session({ state, executionId: null, pendingRequests: asking('permission') })).kind).not.toBe(
        'permission',
      );
    },
  );

  it('[W1] hard case 29: permission comes before clarification, and both before unknown', () => {
    const both = session({ liveness: 'unknown', pendingRequests: asking('clarification', 'permission') });
    expect(statusOf(both).kind).toBe('permission');
    expect(statusOf({ ...both, pendingRequests: asking('clarification') }).kind).toBe('clarification');
    expect(statusOf({ ...both, pendingRequests: [] }).kind).toBe('unknown');
  });

  it('[S9] a running session whose tier was not read shows generating, never done', () => {
    expect(statusOf(session({ state: 'running' })).kind).toBe('generating');
  });
});

describe('[W1] status of a task', () => {
  it('[W1] follows the precedence for every aggregate there can be', () => {
    const all = [...tasks()];
    expect(all).toHaveLength(4 * 3 * 2 * 4);
    for (const each of all) {
      const kind = statusOf(each).kind;
      if (each.pendingPermission) expect(kind).toBe('permission');
      else if (each.pendingClarification) expect(kind).toBe('clarification');
      else if (each.liveness === 'unknown') expect(kind).toBe('unknown');
      else if (each.foregroundActivity !== null) expect(kind).toBe(each.foregroundActivity);
      else expect(kind).toBe(each.state === 'done' ? 'done' : 'created');
    }
  });

  it('[W1] a pending flag counts only while a current session asks', () => {
    const flagged = task({ pendingPermission: true, pendingClarification: true });
    const ended = session({ state: 'failed', pendingRequests: asking('permission', 'clarification') });
    expect(statusOf(flagged, [ended]).kind).toBe('failed');
    expect(statusOf(flagged, [ended, session({ pendingRequests: asking('clarification') })]).kind).toBe(
      'clarification',
    );
    expect(statusOf(flagged, []).kind).toBe('permission');
  });

  it('[W1] the aggregate decides, not the sessions', () => {
    const stale = [session({ state: 'running', foregroundActivity: 'generating' })];
    expect(statusOf(task({ foregroundActivity: 'background' }), stale).kind).toBe('background');
    expect(statusOf(task({ liveness: 'unknown' }), stale).kind).toBe('unknown');
  });

  const at = (state: SessionState, day: number) => session({ state, createdAt: `2026-01-0${day}T00:00:00.000Z` });
  it.each([
    ['nothing started', [], 'created'],
    ['one that starts, before all else', [at('starting', 1), at('failed', 2)], 'starting'],
    ['one that is alive', [at('waiting_for_input', 1), at('completed', 2)], 'ready'],
    ['a newest one that failed, before one that is alive', [at('waiting_for_input', 1), at('failed', 2)], 'failed'],
    ['an older failure that was superseded', [at('failed', 1), at('idle', 2)], 'idle'],
    ['the newest, whatever the order of the list', [at('idle', 2), at('failed', 1)], 'idle'],
    ['one that was ended', [at('cancelled', 1)], 'cancelled'],
    ['only completed ones: over, but not done', [at('completed', 1)], 'ended'],
  ] as const)('[W1] coarse: %s', (_, of, kind) => {
    expect(statusOf(task(), of).kind).toBe(kind);
  });

  it('[W1] in state done a failure of a session no longer shows, a start does', () => {
    expect(statusOf(task({ state: 'done' }), [at('failed', 1)]).kind).toBe('done');
    expect(statusOf(task({ state: 'done' }), [at('starting', 1)]).kind).toBe('starting');
  });
});

describe('[W2] what is never shown', () => {
  it('[W2] done where the exposed tier is background, whatever the state or column', () => {
    for (const each of sessions())
      if (each.foregroundActivity === 'background') expect(statusOf(each).icon).not.toBe('check');
    for (const each of tasks())
      if (each.foregroundActivity === 'background') expect(statusOf(each).icon).not.toBe('check');
    const completed = [session({ state: 'completed' })];
    expect(statusOf(task({ state: 'done', foregroundActivity: 'background' }), completed).kind).toBe('background');
  });

  it('[W2] done for anything but a completed session or a task in state done', () => {
    for (const each of sessions()) if (statusOf(each).kind === 'done') expect(each.state).toBe('completed');
    for (const each of tasks())
      for (const state of STATES) {
        if (statusOf(each, [session({ state })]).kind === 'done') expect(each.state).toBe('done');
      }
  });

  it('[W2] a settled session of a live agent reads as ready for a prompt', () => {
    expect(statusOf(session()).label).toBe('Ready for a prompt');
  });

  it.each(['coarse', 'reported', 'fine'] as const)(
    '[W2] background derived from counts or workloads, policy %s',
    (policy) => {
      const workloads = [{ id: 'w', kind: 'subagent', detached: true, source: 'inferred' }];
      const facts = { policy, activeSubagentCount: 3, workloads, awaitingFollowUp: true, reportsBackground: true };
      for (const each of sessions()) expect(statusOf({ ...each, ...facts })).toBe(statusOf(each));
      for (const each of tasks()) expect(statusOf({ ...each, ...facts })).toBe(statusOf(each));
      expect(statusOf({ ...session(), ...facts }).kind).toBe('ready');
    },
  );
});

describe('[W2] every reading', () => {
  it.each(STATUS_KINDS)('[W2] %s has words, an icon and a tone, and is one frozen object', (kind) => {
    const status = STATUSES[kind];
    expect(status.kind).toBe(kind);
    expect(status.label).not.toBe('');
    expect(status.icon).not.toBe('');
    expect(status.tone).not.toBe('');
    expect(Object.isFrozen(status)).toBe(true);
  });

  it('[W2] generating and background share the spinner and differ in tone and words', () => {
    expect(STATUSES.generating.icon).toBe(STATUSES.background.icon);
    expect(STATUSES.generating.tone).not.toBe(STATUSES.background.tone);
    expect(STATUSES.generating.label).not.toBe(STATUSES.background.label);
  });

  it('[W2] the check is the icon of done alone', () => {
    expect(STATUS_KINDS.filter((kind) => STATUSES[kind].icon === 'check')).toEqual(['done']);
  });

  it('[W1] work is generating, background and starting', () => {
    expect(STATUS_KINDS.filter(isWorking)).toEqual(['generating', 'background', 'starting']);
  });
});
