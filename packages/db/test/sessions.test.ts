import { expect, it } from 'vitest';
import { onBothDatabases } from './fixture.ts';

onBothDatabases((fixture) => {
  it('makes a session in state created and patches its fields', async () => {
    const { sessions } = fixture.database;
    const session = await fixture.session();
    expect(session).toMatchObject({ state: 'created', executionId: null, autoRun: true, agentSessionId: null });
    const patched = await sessions.update(session.id, { title: 'renamed', autoRun: false, agentSessionId: 'a1' });
    expect(patched).toMatchObject({ title: 'renamed', autoRun: false, agentSessionId: 'a1', cwd: session.cwd });
    expect(await sessions.get(session.id)).toEqual(patched);
    expect(await sessions.list({ taskId: session.taskId })).toEqual([patched]);
    expect(await sessions.update('nowhere', { title: 'x' })).toBeNull();
    expect(await sessions.delete(session.id)).toBe(true);
    expect(await sessions.delete(session.id)).toBe(false);
  });

  it('[S11] changes the state only from an expected one, with its audit', async () => {
    const { sessions } = fixture.database;
    const { id } = await fixture.session();
    const at = '2026-03-04T05:06:07.089Z';
    const started = await sessions.transition(id, {
      from: ['created', 'idle'],
      to: 'starting',
      cause: 'prompt',
      at,
      patch: { executionId: 'e1', error: null },
    });
    expect(started).toMatchObject({ applied: true, session: { state: 'starting', executionId: 'e1', updatedAt: at } });
    const refused = await sessions.transition(id, { from: ['created'], to: 'completed', cause: 'late' });
    expect(refused).toEqual({ applied: false, state: 'starting' });
    const unknown = await sessions.transition('nowhere', { from: ['created'], to: 'completed', cause: 'late' });
    expect(unknown).toEqual({ applied: false, state: null });
    expect(await sessions.transitions(id)).toEqual([
      { sessionId: id, from: 'created', to: 'starting', cause: 'prompt', at },
    ]);
  });

  it('[S11] has an execution exactly in the live states', async () => {
    const { sessions } = fixture.database;
    const { id } = await fixture.session();
    const start = { from: ['created'], to: 'starting', cause: 'prompt' } as const;
    await expect(sessions.transition(id, start)).rejects.toMatchObject({ code: 'invariant_broken' });
    expect(await sessions.get(id)).toMatchObject({ state: 'created' });
    expect(await sessions.transitions(id)).toEqual([]);
    await sessions.transition(id, { ...start, patch: { executionId: 'e1' } });
    await sessions.transition(id, { from: ['starting'], to: 'running', cause: 'dispatched' });
    const ended = await sessions.transition(id, {
      from: ['running'],
      to: 'failed',
      cause: 'crash',
      patch: { executionId: 'e1', error: 'exit 1' },
    });
    expect(ended).toMatchObject({ session: { executionId: null, error: 'exit 1' } });
    expect((await sessions.transitions(id, 2)).map((one) => one.to)).toEqual(['failed', 'running']);
  });

  it('[S11] lets one of many simultaneous changes from the same state apply', async () => {
    const { sessions } = fixture.database;
    const { id } = await fixture.session();
    const attempts = Array.from({ length: 8 }, (_, index) =>
      sessions.transition(id, {
        from: ['created'],
        to: 'starting',
        cause: `attempt ${index}`,
        patch: { executionId: `e${index}` },
      }),
    );
    const answers = await Promise.all(attempts);
    expect(answers.filter((answer) => answer.applied)).toHaveLength(1);
    expect(await sessions.transitions(id)).toHaveLength(1);
  });

  it('[S141] finds what an earlier life left in a live state, archived tasks included', async () => {
    const { sessions, tasks } = fixture.database;
    const [rested, interrupted] = [await fixture.session(), await fixture.session()];
    await sessions.transition(interrupted.id, {
      from: ['created'],
      to: 'waiting_for_input',
      cause: 'test',
      patch: { executionId: 'e1' },
    });
    await tasks.update(interrupted.taskId, { archivedAt: '2026-05-05T00:00:00.000Z' });
    const ids = (await sessions.interrupted()).map((session) => session.id);
    expect(ids).toContain(interrupted.id);
    expect(ids).not.toContain(rested.id);
  });

  it('[S113] keeps the first recorded end of an execution', async () => {
    const { executions } = fixture.database;
    const session = await fixture.session();
    const started = await executions.start({ id: `${session.id}-e`, sessionId: session.id });
    expect(await executions.start({ id: started.id, sessionId: session.id, pid: 1 })).toEqual(started);
    const named = await executions.identify(started.id, { pid: 42, processStartTime: '123456' });
    expect(named).toMatchObject({ pid: 42, processStartTime: '123456', endedAt: null });
    const endedAt = '2026-06-07T08:09:10.111Z';
    const ended = await executions.end(started.id, { cause: 'stopped', detail: 'by Ada', endedAt });
    expect(ended).toMatchObject({ cause: 'stopped', causeDetail: 'by Ada', endedAt });
    expect(await executions.end(started.id, { cause: 'failed' })).toEqual(ended);
    expect(await executions.end('nowhere', { cause: 'failed' })).toBeNull();
    expect(await executions.list(session.id)).toEqual([ended]);
  });

  it('[S141] finds executions without an end', async () => {
    const { executions } = fixture.database;
    const { id: sessionId } = await fixture.session();
    await executions.start({ id: `${sessionId}-1`, sessionId, pid: 7, processStartTime: '99' });
    await executions.start({ id: `${sessionId}-2`, sessionId });
    await executions.end(`${sessionId}-2`, { cause: 'stopped' });
    const open = (await executions.open()).filter((execution) => execution.sessionId === sessionId);
    expect(open).toMatchObject([{ id: `${sessionId}-1`, pid: 7, processStartTime: '99' }]);
  });

  it('[S132] keeps requests and their first outcome', async () => {
    const { requests } = fixture.database;
    const { id: sessionId } = await fixture.session();
    const options = [{ id: 'yes', kind: 'allow_once', label: 'Allow' }];
    const request = await requests.open({
      id: `${sessionId}-r1`,
      sessionId,
      executionId: 'e1',
      kind: 'permission',
      title: 'Run tests?',
      detail: { command: ['npm', 'test'] },
      askedBy: 'Explorer',
      options,
    });
    expect(request).toMatchObject({ options, detail: { command: ['npm', 'test'] }, schema: null, resolvedAt: null });
    await requests.open({ id: `${sessionId}-r2`, sessionId, executionId: 'e2', kind: 'clarification', title: 'Why?' });
    expect(await requests.listOpen({ sessionId })).toHaveLength(2);

    const answer = await requests.resolve(request.id, { optionId: 'yes' }, '2026-01-01T00:00:00.000Z');
    expect(answer).toMatchObject({ applied: true, request: { outcome: { optionId: 'yes' } } });
    expect(await requests.resolve(request.id, { cancelled: true })).toEqual({ ...answer, applied: false });
    expect(await requests.resolve('nowhere', {})).toEqual({ applied: false, request: null });
    expect(await requests.resolveOpen({ executionId: 'e1' }, { cancelled: true })).toEqual([]);
    const left = await requests.resolveOpen({}, { cancelled: true });
    expect(left.map((one) => one.id)).toContain(`${sessionId}-r2`);
    expect(await requests.listOpen()).toEqual([]);
  });
});
