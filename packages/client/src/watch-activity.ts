import { type ActivityView, acceptActivities, continuesActivity, EMPTY_ACTIVITY } from './activity-view.ts';
import type { VigilClient } from './client.ts';
import type { ActivityEvent } from './types.ts';
import { FoldedWatch, type Watch } from './watch.ts';

export interface WatchActivityOptions {
  /** Only this task and its sessions. */
  readonly taskId?: string | undefined;
  /** Hears every event as it came, before the view is told. */
  readonly onEvent?: ((event: ActivityEvent) => void) | undefined;
}

/** Follows every task and session, or those of one task: a snapshot first, then each change. */
export function watchActivity(client: VigilClient, options: WatchActivityOptions = {}): Watch<ActivityView> {
  const filter = options.taskId === undefined ? {} : { taskId: options.taskId };
  return new FoldedWatch<ActivityView, ActivityEvent>(
    {
      empty: EMPTY_ACTIVITY,
      accept: acceptActivities,
      continues: continuesActivity,
      open: (lastEventId, handlers) => client.api.activity.watch.subscribe({ ...filter, lastEventId }, handlers),
    },
    options.onEvent,
  );
}
