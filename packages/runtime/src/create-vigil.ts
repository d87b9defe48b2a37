import { randomUUID } from 'node:crypto';
import { DatabaseError } from '@vigil/db';
import { watchActivity } from './activity-stream.ts';
import { Board } from './board.ts';
import { boot } from './boot.ts';
import { cancel } from './cancel.ts';
import { clockOf } from './clock.ts';
import { CLOSE_WITHIN_MS, close } from './close.ts';
import type { VigilDeps } from './deps.ts';
import { drainSoon } from './drain.ts';
import { VigilError } from './errors.ts';
import { Features } from './features.ts';
import { Feed } from './feed.ts';
import { Lane } from './lane.ts';
import { prompt } from './prompt.ts';
import { clearQueue, editQueued, removeQueued, reorderQueue, sendNow, setAutoRun } from './queue-edit.ts';
import { getSession, getTask, listMessages, listTasks, ready, serverInfo } from './reading.ts';
import { watchIdle } from './reap.ts';
import { Records } from './records.ts';
import { respond } from './requests.ts';
import { type Retained, retained } from './retained.ts';
import type { Runtime } from './runtime.ts';
import { watchSession } from './session-stream.ts';
import { createSession, deleteSession } from './sessions.ts';
import { readSettings, updateSettings } from './settings.ts';
import { watchStalls } from './stall.ts';
import { overrideFeature, stopAll, stopWorkload } from './stops.ts';
import { submit } from './submit.ts';
import { moveToReview } from './task-moves.ts';
import { archiveTask, createTask, deleteTask, moveTask, unarchiveTask, updateTask } from './tasks.ts';
import { teardown } from './teardown.ts';
import { followTurn } from './turns.ts';
import type { Session } from './types.ts';
import type { Vigil } from './vigil.ts';

/**
 * A running Vigil. `close` ends every stream and every agent, and writes what is left to write, until the given time of
 * `performance.now()`. False when it was over before all of that was done, which is logged. `retained` counts what it
 * keeps.
 */
export type RunningVigil = Vigil & { close(by?: number): Promise<boolean>; retained(): Retained };

/** Boots Vigil on a database that is migrated (S141). */
export async function createVigil(deps: VigilDeps): Promise<RunningVigil> {
  const runtime = await newRuntime(deps);
  listen(runtime);
  await boot(runtime);
  const watches = [watchStalls(runtime), watchIdle(runtime)];
  const stopWatching = () => {
    for (const stop of watches) stop();
  };
  let closing: Promise<boolean> | null = null;
  return {
    ...surfaceOf(runtime),
    retained: () => retained(runtime),
    close: (by) => {
      closing ??= close(runtime, { stopWatching, by: by ?? performance.now() + CLOSE_WITHIN_MS });
      return closing;
    },
  };
}

async function newRuntime(deps: VigilDeps): Promise<Runtime> {
  const feed = new Feed();
  const clock = clockOf(deps, (event) => board.tracker.apply(event));
  const board = new Board({ feed, now: deps.now, onDeadline: clock.set });
  const runtime: Runtime = {
    deps,
    epoch: randomUUID().slice(0, 8),
    board,
    feed,
    clock,
    records: new Records(deps.database, deps.log),
    features: new Features(deps.config, await deps.database.features.overrides()),
    settings: await readSettings(deps.database),
    executions: new Map(),
    leftovers: new Map(),
    serving: new Map(),
    drainSoon: (entry) => drainSoon(runtime, entry),
    taskLane: new Lane(),
    closing: false,
    endBy: Number.POSITIVE_INFINITY,
  };
  return runtime;
}

/** What follows from a change of a session. Within the step itself it is only noted; the rest is deferred. */
function listen(runtime: Runtime): void {
  runtime.board.listen((entry, before, after) => {
    followTurn(runtime, entry, after);
    noteState(runtime, before, after);
    if (!after.cancellationPending && entry.cancelTimer !== null) {
      clearTimeout(entry.cancelTimer);
      entry.cancelTimer = null;
    }
    if (after.inputMode === 'direct' && entry.queue.length > 0) runtime.drainSoon(entry);
    if (after.state !== 'running' && after.state !== 'starting')
      queueMicrotask(() => moveToReview(runtime, entry.taskId));
  });
}

function noteState(runtime: Runtime, before: Session, after: Session): void {
  if (before.state === after.state && before.stopReason === after.stopReason && before.error === after.error) return;
  const ended = after.executionId === null ? runtime.serving.get(after.id)?.facts?.cause : undefined;
  runtime.records.stateChanged(before, after, ended ?? after.stopReason ?? after.state);
}

/** What the database does not take is told as unavailable, with the cause kept. */
function guarded<A extends unknown[], R>(act: (runtime: Runtime, ...args: A) => Promise<R>, runtime: Runtime) {
  return async (...args: A): Promise<R> => {
    try {
      return await act(runtime, ...args);
    } catch (cause) {
      if (!(cause instanceof DatabaseError)) throw cause;
      throw new VigilError('unavailable', `The database did not take it: ${cause.message}`, { cause });
    }
  };
}

function surfaceOf(runtime: Runtime): Vigil {
  return {
    epoch: runtime.epoch,
    listTasks: async (input) => listTasks(runtime, input),
    getTask: async (taskId) => getTask(runtime, taskId),
    createTask: guarded(createTask, runtime),
    updateTask: guarded(updateTask, runtime),
    moveTask: guarded(moveTask, runtime),
    archiveTask: guarded(archiveTask, runtime),
    unarchiveTask: guarded(unarchiveTask, runtime),
    deleteTask: guarded(deleteTask, runtime),
    createSession: guarded(createSession, runtime),
    getSession: guarded(getSession, runtime),
    listMessages: guarded(listMessages, runtime),
    submit: guarded(submit, runtime),
    prompt: guarded(prompt, runtime),
    cancel: async (input) => cancel(runtime, input),
    respond: async (input) => respond(runtime, input),
    stopWorkload: guarded(stopWorkload, runtime),
    stopAll: guarded(stopAll, runtime),
    teardown: guarded(teardown, runtime),
    deleteSession: guarded(deleteSession, runtime),
    listQueue: async (sessionId) => runtime.board.session(sessionId).queue.show(),
    editQueued: guarded(editQueued, runtime),
    removeQueued: guarded(removeQueued, runtime),
    reorderQueue: guarded(reorderQueue, runtime),
    clearQueue: guarded(clearQueue, runtime),
    sendNow: guarded(sendNow, runtime),
    setAutoRun: async (input) => setAutoRun(runtime, input),
    activitySnapshot: () => runtime.board.snapshot(runtime.epoch),
    watchActivity: (options) => watchActivity(runtime, options),
    watchSession: (options) => watchSession(runtime, options),
    listAgents: async () => runtime.deps.agents.list(),
    listFeatures: () => runtime.features.list(),
    overrideFeature: guarded(overrideFeature, runtime),
    getSettings: async () => runtime.settings,
    updateSettings: guarded(updateSettings, runtime),
    serverInfo: () => serverInfo(runtime),
    ready: () => ready(runtime),
  };
}
