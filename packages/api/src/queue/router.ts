import { router } from '../trpc.ts';
import { clearQueue } from './clear-queue.ts';
import { editQueued } from './edit-queued.ts';
import { listQueue } from './list-queue.ts';
import { removeQueued } from './remove-queued.ts';
import { reorderQueue } from './reorder-queue.ts';
import { sendNow } from './send-now.ts';
import { setAutoRun } from './set-auto-run.ts';

export const queueRouter = router({
  list: listQueue,
  edit: editQueued,
  remove: removeQueued,
  reorder: reorderQueue,
  clear: clearQueue,
  sendNow,
  setAutoRun,
});
