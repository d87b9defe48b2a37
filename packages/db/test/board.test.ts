import { expect, it } from 'vitest';
import { type Fixture, onBothDatabases } from './fixture.ts';

async function fill(fixture: Fixture, tasks: number): Promise<void> {
  for (let n = 0; n < tasks; n++) {
    const session = await fixture.session();
    await fixture.prompt(session.id, 'a');
    await fixture.prompt(session.id, 'b', { status: 'reserved' });
  }
}

onBothDatabases((fixture) => {
  it('loads the board with what is open on it, and nothing archived or settled', async () => {
    const { database } = fixture;
    const [shown, archived] = [await fixture.session(), await fixture.session()];
    const open = await fixture.prompt(shown.id, 'open');
    const settled = await fixture.prompt(shown.id, 'settled');
    await database.prompts.settle(settled.id, { as: 'delivered' });
    await fixture.prompt(archived.id, 'archived');
    const asked = { sessionId: shown.id, executionId: 'e', kind: 'clarification', title: 'Which?' } as const;
    const request = await database.requests.open({ id: 'r1', ...asked });
    await database.requests.open({ id: 'r2', ...asked });
    await database.requests.resolve('r2', { cancelled: true });
    await database.tasks.update(archived.taskId, { archivedAt: '2026-05-05T00:00:00.000Z' });
    const task = await database.tasks.get(shown.taskId);
    expect(await database.loadBoard()).toEqual({
      tasks: [task],
      sessions: [shown],
      prompts: [open],
      requests: [request],
    });
  });

  it('takes the same number of statements for a board of any size', async () => {
    const count = async () => {
      const before = fixture.statements.length;
      const board = await fixture.database.loadBoard();
      return { statements: fixture.statements.length - before, tasks: board.tasks.length };
    };
    const small = await count();
    await fill(fixture, 8);
    const large = await count();
    expect(large.tasks).toBe(small.tasks + 8);
    expect(large.statements).toBe(small.statements);
    expect(large.statements).toBeLessThanOrEqual(6);
  });
});
