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
    expect(new Set(created.dependsOn)).toEqual(new Set([first.id, second.id]));
    expect(created.dependsOn).toHaveLength(2);
    expect(await tasks.get(created.id)).toEqual(created);
  });
});
