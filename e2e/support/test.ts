import { test as base } from '@playwright/test';
import type { MockControl } from './mock-control.ts';
import { ServerProcess } from './server-process.ts';
import { Workspace } from './workspace.ts';

interface TestFixtures {
  readonly mock: MockControl;
  readonly workspace: Workspace;
  /** Leaves an empty board, and with it no agent, to the next test. */
  readonly emptied: undefined;
}

interface WorkerFixtures {
  readonly server: ServerProcess;
}

/** A server needs this long on a busy machine, most of it for its embedded database, in ms. */
export const START_TIMEOUT = 120_000;

/** Every test has a real server; a worker's tests share one, and each finds its board empty. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
    async ({}, use) => {
      const server = await ServerProcess.start();
      await use(server);
      await server.remove();
    },
    { scope: 'worker', timeout: START_TIMEOUT },
  ],
  baseURL: ({ server }, use) => use(server.url),
  mock: ({ server }, use) => use(server.mock),
  workspace: ({ server, context }, use) => use(new Workspace(server, context)),
  emptied: [
    async ({ server }, use) => {
      await use(undefined);
      server.thaw();
      const { api } = server.client;
      const { tasks } = await api.task.list.query({});
      await Promise.all(tasks.map(({ id }) => api.task.delete.mutate({ taskId: id })));
    },
    { auto: true },
  ],
});

export { expect } from '@playwright/test';
