import { VigilError } from './errors.ts';
import { stopBacklog } from './put-back.ts';
import type { Runtime } from './runtime.ts';
import { quiesce } from './teardown.ts';
import type { FeatureInfo, Session } from './types.ts';

/** Stops one item of background work, where the provider can (S131). */
export async function stopWorkload(
  runtime: Runtime,
  input: { sessionId: string; workloadId: string },
): Promise<{ stopped: boolean; reason: string | null }> {
  const entry = runtime.board.session(input.sessionId);
  const workload = entry.shown.workloads.find((one) => one.id === input.workloadId);
  const connection = workload === undefined ? null : (runtime.executions.get(workload.executionId)?.connection ?? null);
  if (workload === undefined || connection === null) {
    throw new VigilError(
      'not_found',
      `No workload ${input.workloadId} is live in session ${entry.id}. Read its workloads.`,
    );
  }
  const { id: workloadId, executionId } = workload;
  runtime.board.tracker.apply({
    type: 'stop.requested',
    sessionId: entry.id,
    at: runtime.deps.now(),
    executionId,
    workloadId,
  });
  return connection.stop(workloadId);
}

/** Ends everything that runs for the session; no wake starts after it, and its backlog is parked (S131). */
export async function stopAll(runtime: Runtime, sessionId: string): Promise<Session> {
  const entry = runtime.board.session(sessionId);
  stopBacklog(runtime, entry);
  await quiesce(runtime, entry);
  return entry.shown;
}

/** Stores an override of a toggle, or takes it back; it applies after a restart (S76). */
export async function overrideFeature(
  runtime: Runtime,
  input: { key: string; on: boolean | null },
): Promise<FeatureInfo[]> {
  const { features, deps } = runtime;
  if (!features.has(input.key)) {
    throw new VigilError('not_found', `There is no feature ${input.key}. List the features.`);
  }
  if (input.on === null) await deps.database.features.remove(input.key);
  else await deps.database.features.set(input.key, input.on);
  features.override(input.key, input.on);
  return features.list();
}
