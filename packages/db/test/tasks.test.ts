import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { onBothDatabases } from './fixture.ts';

onBothDatabases((fixture) => {
  it('keeps a task with its dependencies', async () => {
    const { tasks } = fixture.database;
    const [first, second] = [await fixture.task('first'), await fixture.task('second')];
    const created = await tasks.create({
      id: randomUUID(),
      title: 'third',
      description: 'why',
      state: 'review',
      position: 1.5,
      parentId: first.id,
      dependsOn: [second.id, first.id, first.id],
      createdAt: '2026-01-02T03:04:05.678Z',
    });
    expect(created).toMatchObject({
      title: 'third',
      description: 'why',
      state: 'review',
      position: 1.5,
      parentId: first.id,
      archivedAt: null,
      createdAt: '2026-01-02T03:04:05.678Z',
      updatedAt: '2026-01-02T03:04:05.678Z',
    });
    expect([...created.dependsOn].sort()).toEqual([first.id, second.id].sort());
    expect(await tasks.get(created.id)).toEqual(created);
  });

  it('puts a new task at the end and lists by position', async () => {
    const { tasks } = fixture.database;
    const [first, second] = [await fixture.task(), await fixture.task()];
    expect(second.position).toBeGreaterThan(first.position);
    await tasks.update(second.id, { position: first.position - 0.25 });
    const ids = (await tasks.list()).map((task) => task.id);
    expect(ids.indexOf(second.id)).toBeLessThan(ids.indexOf(first.id));
  });

  it('changes only what a patch names, and replaces the dependencies as a set', async () => {
    const { tasks } = fixture.database;
    const [first, second, third] = [await fixture.task(), await fixture.task(), await fixture.task('before')];
    await tasks.update(third.id, { dependsOn: [first.id] });
    const moved = await tasks.update(third.id, { state: 'done', title: undefined });
    expect(moved).toMatchObject({ title: 'before', state: 'done', dependsOn: [first.id] });
    const turned = await tasks.update(third.id, { dependsOn: [second.id], updatedAt: '2030-01-01T00:00:00.000Z' });
    expect(turned).toMatchObject({ state: 'done', dependsOn: [second.id], updatedAt: '2030-01-01T00:00:00.000Z' });
    expect(await tasks.update('nowhere', { title: 'x' })).toBeNull();
  });

  it('lists archived tasks apart', async () => {
    const { tasks } = fixture.database;
    const [kept, archived] = [await fixture.task(), await fixture.task()];
    await tasks.update(archived.id, { archivedAt: '2026-05-05T00:00:00.000Z' });
    const ids = async (archivedOnes: boolean) => (await tasks.list({ archived: archivedOnes })).map((task) => task.id);
    expect(await ids(false)).toContain(kept.id);
    expect(await ids(false)).not.toContain(archived.id);
    expect(await ids(true)).toContain(archived.id);
    expect(await ids(true)).not.toContain(kept.id);
  });

  it('deletes a task with all that hangs on it and leaves its children', async () => {
    const { tasks, sessions, executions, prompts, messages, requests } = fixture.database;
    const task = await fixture.task();
    const child = await tasks.create({ id: randomUUID(), title: 'child', parentId: task.id, dependsOn: [task.id] });
    const session = await fixture.session(task.id);
    const execution = await executions.start({ id: randomUUID(), sessionId: session.id });
    const prompt = await fixture.prompt(session.id, 'hello');
    await messages.write([
      { sessionId: session.id, id: 'm', seq: 1, kind: 'user', role: null, payload: {}, createdAt: session.createdAt },
    ]);
    const asked = { sessionId: session.id, executionId: execution.id, kind: 'permission', title: 'May I?' } as const;
    const request = await requests.open({ id: randomUUID(), ...asked });
    await sessions.transition(session.id, { from: ['created'], to: 'completed', cause: 'test' });

    expect(await tasks.delete(task.id)).toBe(true);
    expect(await tasks.delete(task.id)).toBe(false);
    expect(await sessions.get(session.id)).toBeNull();
    expect(await executions.get(execution.id)).toBeNull();
    expect(await prompts.get(prompt.id)).toBeNull();
    expect(await requests.get(request.id)).toBeNull();
    expect((await messages.page(session.id)).messages).toEqual([]);
    expect(await sessions.transitions(session.id)).toEqual([]);
    expect(await tasks.get(child.id)).toMatchObject({ parentId: null, dependsOn: [] });
  });

  it('names what is wrong with a task', async () => {
    const { tasks } = fixture.database;
    const task = await fixture.task();
    await expect(tasks.create({ id: task.id, title: 'again' })).rejects.toMatchObject({ code: 'already_exists' });
    const lost = { id: randomUUID(), title: 'lost', parentId: 'nowhere' };
    await expect(tasks.create(lost)).rejects.toMatchObject({ code: 'unknown_reference' });
    await expect(tasks.update(task.id, { dependsOn: [task.id] })).rejects.toMatchObject({ code: 'invariant_broken' });
    await expect(tasks.update(task.id, { title: 'x', dependsOn: ['nowhere'] })).rejects.toThrow(/to exist/);
    expect(await tasks.get(task.id)).toEqual(task);
  });

  it('tells no parameter of a failed statement in an error', async () => {
    const { tasks } = fixture.database;
    const failed = await tasks
      .create({ id: randomUUID(), title: 'a secret', parentId: 'nowhere' })
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(Error);
    expect(`${failed} ${failed instanceof Error ? failed.cause : ''}`).not.toContain('a secret');
  });
});
