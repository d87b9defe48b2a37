import { type AgentConnection, openAgent } from '@vigil/acp';
import { openTestDatabase } from '@vigil/db/testing';
import { parseScript } from '@vigil/mock-agent';
import { createVigil, type Snapshot } from '@vigil/runtime';
import { expect, test } from 'vitest';
import { AgentCatalog, builtIns } from '../src/agent-catalog.ts';
import { seedDemo } from '../src/demo.ts';
import { DEMO_SCENARIOS } from '../src/demo-scenarios.ts';
import { silent, testConfig } from './harness.ts';

test('[contract] every script of the demo is one that the mock agent understands', () => {
  const prompts = DEMO_SCENARIOS.flatMap(({ sessions }) => sessions.flatMap((session) => session.prompts));
  const wrong = prompts
    .map((prompt) => parseScript(prompt))
    .flatMap((script) => (script.kind === 'script' ? script.steps : []))
    .filter((step) => step.kind === 'invalid');
  expect(wrong).toEqual([]);
});

test('[contract] the demo shows every state, and is added once', async () => {
  const database = await openTestDatabase();
  const cwd = process.cwd();
  const vigil = await createVigil({
    database,
    agents: new AgentCatalog(builtIns(true), cwd),
    openAgent: (options): Promise<AgentConnection> => openAgent(options),
    config: { ...testConfig, mockProvider: true, defaultCwd: cwd },
    log: silent,
    now: Date.now,
    version: 'test',
  });
  try {
    await seedDemo(vigil, silent);
    await expect
      .poll(() => shown(vigil.activitySnapshot()), { timeout: 60_000 })
      .toEqual({
        'Release 2.0': 'generating',
        'Build the Docker image': 'background',
        'Review the open pull requests': 'background with 2',
        'Publish the packages': 'permission',
        'Choose a database': 'clarification',
        'Write the changelog': 'generating, queued',
        'Migrate the settings': 'failed',
        'Explain the cache': 'waiting_for_input',
        'Update the dependencies': 'idle',
        'Fix the login page': 'completed',
        'Plan the next release': 'created',
      });
    expect(vigil.activitySnapshot().tasks.find(({ title }) => title === 'Fix the login page')?.state).toBe('done');
    await seedDemo(vigil, silent);
    expect(vigil.activitySnapshot().tasks).toHaveLength(DEMO_SCENARIOS.length);
  } finally {
    await vigil.close();
    await database.close();
  }
}, 120_000);

/** What each task shows, in a word. */
function shown({ tasks, sessions }: Snapshot): Record<string, string | undefined> {
  return Object.fromEntries(
    tasks.map((task) => {
      const state = sessions.find(({ taskId }) => taskId === task.id)?.state;
      if (task.pendingPermission) return [task.title, 'permission'];
      if (task.pendingClarification) return [task.title, 'clarification'];
      const subagents = task.activeSubagentCount > 0 ? ` with ${task.activeSubagentCount}` : '';
      const queued = task.queuedPromptCount > 0 ? ', queued' : '';
      return [task.title, `${task.foregroundActivity ?? state}${subagents}${queued}`];
    }),
  );
}
