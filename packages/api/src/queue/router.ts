import { router } from '../trpc.ts';
import { listQueue } from './list-queue.ts';
import { removeQueued } from './remove-queued.ts';
import { setAutoRun } from './set-auto-run.ts';

export const queueRouter = router({ list: listQueue, remove: removeQueued, setAutoRun });
