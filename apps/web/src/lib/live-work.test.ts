import type { Session, SessionState } from '@vigil/client';
import { describe, expect, it } from 'vitest';
import { liveWorkOf } from './live-work.ts';

function session(over: Partial<Session>): Session {
  return {
    id: 's1',
    taskId: 't1',
    agentId: 'mock',
    provider: 'mock',
    title: 'Fix',
    cwd: '/',
    state: 'waiting_for_input',
    executionId: 'e1',
    policy: 'coarse',
    reportsBackground: null,
    mayWake: false,
    awaitingFollowUp: false,
    mode: null,
    model: null,
    usage: null,
    inputMode: 'direct',
    inputReason: null,
    autoRun: true,
    queuedPromptCount: 0,
    cancellationPending: false,
    generation: null,
    turnStartedAt: null,
    pendingRequests: [],
    workloads: [],
    stopReason: null,
    error: null,
    createdAt: '',
    updatedAt: '',
    foregroundActivity: null,
    activeSubagentCount: 0,
    activityRevision: 0,
    liveness: 'live',
    ...over,
  };
}

const build = {
  id: 'w1',
  executionId: 'e1',
  messageId: null,
  kind: 'shell',
  label: 'build',
  detached: true,
  source: 'inferred',
  startedAt: '',
  lastEvidenceAt: '',
  stoppable: false,
} as const;

const textsOf = (...sessions: Session[]) => liveWorkOf(sessions).map(({ text }) => text);

describe('[W4] the live work that ends with a task', () => {
  it.each<SessionState>(['created', 'waiting_for_input', 'idle', 'completed', 'failed', 'cancelled'])(
    '[W4] a session that is %s with nothing live is not warned of',
    (state) => {
      expect(textsOf(session({ state }))).toEqual([]);
    },
  );

  it('[W4] names turns, workloads and follow-ups, also under coarse policy', () => {
    const running = session({ state: 'running', foregroundActivity: 'generating', workloads: [build] });
    const settled = session({
      id: 's2',
      title: '',
      workloads: [{ ...build, kind: 'subagent', label: 'look' }],
      awaitingFollowUp: true,
    });
    expect(textsOf(running, settled, session({ id: 's3', state: 'starting' }))).toEqual([
      'Fix: Generating',
      'Background shell “build” of Fix',
      'Subagent “look” of mock',
      'A follow-up that mock is about to start',
      'Fix: Starting',
    ]);
  });

  it('[W4] keeps two pieces of one name apart', () => {
    const ids = liveWorkOf([session({ workloads: [build, { ...build, executionId: 'e0' }] })]).map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
  });
});
