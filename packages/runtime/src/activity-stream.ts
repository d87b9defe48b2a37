import type { PublishedEvent } from './feed.ts';
import { Bell, closed, pull, revisionOf } from './pull.ts';
import type { Runtime } from './runtime.ts';
import type { ActivityEvent } from './types.ts';
import type { WatchOptions } from './vigil.ts';

type Framed = { readonly id: string; readonly event: ActivityEvent };

/** Follows everything, or one task: a snapshot, or what was missed, then each change (CONTRACT: `activity.watch`). */
export async function* watchActivity(
  runtime: Runtime,
  options: WatchOptions & { taskId?: string | undefined },
): AsyncGenerator<Framed> {
  const { feed, board, epoch } = runtime;
  if (feed.closed !== null) throw closed(feed.closed);
  if (options.taskId !== undefined) board.task(options.taskId);
  const bell = new Bell();
  const subscription = feed.subscribe(options.taskId, bell.ring);
  const from = board.tracker.revision;
  const opening = openingOf(runtime, options, from);
  const frame = (event: ActivityEvent, revision: number): Framed => ({ id: `${epoch}.${revision}`, event });
  try {
    for (const event of opening.events) yield frame(event, event.type === 'resumed' ? opening.since : event.revision);
    for await (const [, event] of pull(subscription, bell, options.signal)) {
      if (event.revision > from) yield frame(event, event.revision);
      if (event.type === 'task.deleted' && event.taskId === options.taskId) return;
    }
  } finally {
    subscription.close();
  }
}

/** Taken in one step with the subscription, so that nothing falls between. */
function openingOf(
  runtime: Runtime,
  options: { lastEventId?: string | undefined; taskId?: string | undefined },
  revision: number,
): { since: number; events: readonly ActivityEvent[] } {
  const { feed, board, epoch } = runtime;
  const since = revisionOf(options.lastEventId, epoch);
  const missed: readonly PublishedEvent[] | null =
    since === null || since > revision ? null : feed.since(since, options.taskId);
  if (since === null || missed === null) return { since: revision, events: [board.snapshot(epoch, options.taskId)] };
  return { since, events: [{ type: 'resumed', epoch, revision }, ...missed] };
}
