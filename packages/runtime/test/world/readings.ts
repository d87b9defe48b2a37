import type { Session, Task } from '../../src/index.ts';

// What must hold of every exposed value by itself. Written from SPEC, sharing nothing with the code.

const LIVE = ['starting', 'running', 'waiting_for_input'];

/** Which rules an exposed session breaks. */
export function wrongInSession(session: Session): string[] {
  const { state, policy, foregroundActivity: tier, inputMode, liveness } = session;
  const wrong: string[] = [];
  const check = (rule: string, holds: boolean) => {
    if (!holds) wrong.push(`[${rule}] ${JSON.stringify(session)}`);
  };
  const subagents = session.workloads.filter((one) => one.kind === 'subagent').length;
  check('P2', session.activeSubagentCount === subagents);
  check('S11', (session.executionId !== null) === LIVE.includes(state));
  if (policy === 'coarse') check('P8', tier === (state === 'running' ? 'generating' : null));
  if (policy === 'reported' && state === 'running') check('P8', tier === 'generating' && inputMode !== 'direct');
  if (policy === 'coarse' && state === 'running') check('S70', inputMode !== 'direct');
  check('S73', !(tier === 'generating' && state !== 'running'));
  if (state === 'running') check('S9', tier !== null);
  check('S51', (inputMode === 'unavailable') === (state === 'cancelled'));
  if (state === 'starting') check('S51', inputMode === 'queue');
  check('S77', (inputMode === 'direct') === (session.inputReason === null));
  if (session.cancellationPending) check('S131', inputMode !== 'direct' && session.generation !== null);
  if (liveness === 'unknown') check('S9', inputMode !== 'direct');
  if (session.executionId === null) check('S110', session.workloads.length === 0 && session.generation === null);
  if (session.executionId === null) check('S110', session.pendingRequests.length === 0 && !session.awaitingFollowUp);
  check(
    'P9',
    session.workloads.every((one) => one.executionId === session.executionId),
  );
  return wrong;
}

/** The aggregate of a task over the exposed values of its sessions (S90). */
export function wrongInTask(task: Task, sessions: readonly Session[]): string[] {
  const tiers = sessions.map((session) => session.foregroundActivity);
  const tier = tiers.includes('generating') ? 'generating' : tiers.includes('background') ? 'background' : null;
  const sum = (of: (session: Session) => number) => sessions.reduce((total, session) => total + of(session), 0);
  const asks = (kind: string) => sessions.some((one) => one.pendingRequests.some((each) => each.kind === kind));
  const unknown = sessions.some((one) => one.liveness === 'unknown');
  const surely = sessions.some((one) => one.foregroundActivity === 'generating' && one.liveness === 'live');
  const expected = {
    foregroundActivity: tier,
    activeSubagentCount: sum((one) => one.activeSubagentCount),
    queuedPromptCount: sum((one) => one.queuedPromptCount),
    pendingPermission: asks('permission'),
    pendingClarification: asks('clarification'),
    liveness: unknown && !surely ? 'unknown' : 'live',
    sessionIds: [...sessions.map((one) => one.id)].sort(),
  };
  const shown = Object.fromEntries(Object.keys(expected).map((key) => [key, task[key as keyof Task]]));
  const got = { ...shown, sessionIds: [...task.sessionIds].sort() };
  const same = JSON.stringify(got) === JSON.stringify(expected);
  return same ? [] : [`[S90, P2] task shows ${JSON.stringify(got)}, its sessions say ${JSON.stringify(expected)}`];
}

/** Changes of the coarse state that S11 has. `starting → waiting_for_input`: what it was started for was given up. */
const CHANGES: Readonly<Record<string, readonly string[]>> = {
  created: ['starting'],
  idle: ['starting'],
  completed: ['starting'],
  failed: ['starting'],
  starting: ['running', 'waiting_for_input', 'failed', 'idle', 'completed', 'cancelled'],
  running: ['waiting_for_input', 'failed', 'idle', 'completed', 'cancelled'],
  waiting_for_input: ['running', 'failed', 'idle', 'completed', 'cancelled'],
  cancelled: [],
};

export const mayChange = (from: string, to: string): boolean => CHANGES[from]?.includes(to) === true;
