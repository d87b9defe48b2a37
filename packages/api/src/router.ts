import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { activityRouter } from './activity/router.ts';
import { agentRouter } from './agent/router.ts';
import { featureRouter } from './feature/router.ts';
import { queueRouter } from './queue/router.ts';
import { serverRouter } from './server/router.ts';
import { sessionRouter } from './session/router.ts';
import { settingsRouter } from './settings/router.ts';
import { taskRouter } from './task/router.ts';
import { router } from './trpc.ts';

/** Everything that Vigil serves (docs/CONTRACT.md, router). */
export const appRouter = router({
  task: taskRouter,
  session: sessionRouter,
  queue: queueRouter,
  activity: activityRouter,
  agent: agentRouter,
  feature: featureRouter,
  settings: settingsRouter,
  server: serverRouter,
});

export type AppRouter = typeof appRouter;
export type RouterInputs = inferRouterInputs<AppRouter>;
export type RouterOutputs = inferRouterOutputs<AppRouter>;
