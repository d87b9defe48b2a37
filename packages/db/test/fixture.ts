import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe } from 'vitest';
import type { Database, NewPrompt, PromptRow, SessionRow, TaskRow } from '../src/index.ts';
import { openTestDatabases } from '../src/testing.ts';

export interface Fixture {
  readonly database: Database;
  /** Every statement that ran so far. */
  readonly statements: string[];
  task(title?: string): Promise<TaskRow>;
  session(taskId?: string): Promise<SessionRow>;
  prompt(sessionId: string, text: string, more?: Partial<NewPrompt>): Promise<PromptRow>;
}

/** Runs the same tests on both databases. A database is shared by the tests of a file, which use rows of their own. */
export function onBothDatabases(tests: (fixture: Fixture) => void): void {
  for (const { kind, missing, open } of openTestDatabases()) {
    const name = missing === null ? `on ${kind}` : `on ${kind}: SKIPPED, found ${missing}`;
    describe.skipIf(missing !== null)(name, () => {
      const statements: string[] = [];
      let opened: Database | undefined;
      beforeAll(async () => {
        opened = await open({ onQuery: (statement) => statements.push(statement) });
      });
      afterAll(async () => {
        await opened?.close();
      });
      tests(
        fixtureOf(() => {
          if (opened === undefined) throw new Error('Expected an open database; the tests run before it was opened.');
          return opened;
        }, statements),
      );
    });
  }
}

function fixtureOf(opened: () => Database, statements: string[]): Fixture {
  const task: Fixture['task'] = (title = 'A task') => opened().tasks.create({ id: randomUUID(), title });
  return {
    get database() {
      return opened();
    },
    statements,
    task,
    async session(taskId) {
      const owner = taskId ?? (await task()).id;
      const launch = { agentId: 'claude-acp', provider: 'claude-acp', title: 'A session', cwd: '/repo' };
      return opened().sessions.create({ id: randomUUID(), taskId: owner, ...launch });
    },
    async prompt(sessionId, text, more = {}) {
      const id = randomUUID();
      const { prompt } = await opened().prompts.enqueue({
        id,
        sessionId,
        clientKey: id,
        origin: 'human',
        text,
        ...more,
      });
      return prompt;
    },
  };
}
