import { stopBacklog } from './cancel.ts';
import { VigilError } from './errors.ts';
import type { Runtime } from './runtime.ts';
import { quiesce } from './teardown.ts';
import type { FeatureInfo, Session } from './types.ts';

const ANSWER_WITHIN_MS = 10_000;

interface Stopped {
  readonly stopped: boolean;
  /** Why not. */
  readonly reason: string | null;
}

/** Stops one item of background work, where the provider can (S131). */
export async function stopWorkload(
  runtime: Runtime,
  input: { sessionId: string; workloadId: string },
): Promise<Stopped> {
  const entry = runtime.board.session(input.sessionId);
  const workload = entry.shown.workloads.find((one) => one.id === input.workloadId);
  const connection = workload === undefined ? null : (runtime.executions.get(workload.executionId)?.connection ?? null);
  if (workload === undefined || connection === null) {
    throw new VigilError(
      'not_found',
      `No workload ${input.workloadId} is live in session ${entry.id}. Read its workloads.`,
    );
  }
  const { id: workloadId, executionId, stoppable } = workload;
  const at = runtime.deps.now();
  // Where nothing can be asked, its end is its own and a wake may follow it (S12).
  if (stoppable)
    runtime.board.tracker.apply({ type: 'stop.requested', sessionId: entry.id, at, executionId, workloadId });
  return answerOf(connection.stop(workloadId), runtime.deps.config.cancelAfterMs ?? ANSWER_WITHIN_MS);
}

/** The agent's answer; one that does not come is not waited for. */
async function answerOf(asked: Promise<Stopped>, ms: number): Promise<Stopped> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Stopped>((resolve) => {
    const reason = 'the agent was asked to stop it and has not answered; its workloads tell when it ends';
    timer = setTimeout(() => resolve({ stopped: false, reason }), ms);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
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
