import type { Session, Task } from '@vigil/runtime';

const LONG_AGO = '2026-01-01T00:00:00.000Z';

export function sampleTask(fields: Partial<Task> & { id: string }): Task {
  return {
    title: 'A task',
    description: '',
    state: 'backlog',
    position: 1,
    parentId: null,
    dependsOn: [],
    archivedAt: null,
    pendingPermission: false,
    pendingClarification: false,
    queuedPromptCount: 0,
    sessionIds: [],
    createdAt: LONG_AGO,
    updatedAt: LONG_AGO,
    foregroundActivity: null,
    activeSubagentCount: 0,
    activityRevision: 0,
    liveness: 'live',
    ...fields,
  };
}

export function sampleSession(fields: Partial<Session> & { id: string; taskId: string }): Session {
  return {
    agentId: 'mock',
    provider: 'mock',
    title: 'A session',
    cwd: '/tmp',
    state: 'created',
    executionId: null,
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
    createdAt: LONG_AGO,
    updatedAt: LONG_AGO,
    foregroundActivity: null,
    activeSubagentCount: 0,
    activityRevision: 0,
    liveness: 'live',
    ...fields,
  };
}
