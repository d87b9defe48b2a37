import type { WorkloadKind, WorkNames } from '@vigil/liveness/attestation';
import { BoundedMap } from './adapter.ts';
import { runName } from './child-runs.ts';

interface Task {
  readonly ordinals: Map<string, number>;
  type: string;
  tool: string | null;
}

/** A task frame's identity, as raw messages give it. */
export interface TaskFrame {
  readonly taskId: string;
  readonly runId: string;
  readonly type?: string | undefined;
  readonly toolUseId?: string | undefined;
}

/**
 * Names of runs on Claude's raw channel. A resumed subagent keeps its task id and its tool call and gets a new run id
 * (recording v2-raw 06b): only names that carry the number of the run are safe to share with the other channel.
 */
export class ClaudeRuns {
  readonly #tasks = new BoundedMap<Task>(5_000);

  names(frame: TaskFrame): WorkNames {
    const task = this.#task(frame);
    const run = this.#ordinal(task, frame.runId);
    const names: string[] = [];
    if (task.type === 'local_agent') names.push(runName(frame.taskId, run));
    if (task.tool !== null) names.push(run === 1 ? `tool:${task.tool}` : `tool:${task.tool}#${run}`);
    return [`run:${frame.taskId}/${frame.runId}`, ...names];
  }

  typeOf(taskId: string): string | undefined {
    return this.#tasks.get(taskId)?.type;
  }

  toolOf(taskId: string): string | null {
    return this.#tasks.get(taskId)?.tool ?? null;
  }

  /** True when raw messages told of this run of the child session. */
  knows(sessionId: string, run: number): boolean {
    return (this.#tasks.get(sessionId)?.ordinals.size ?? 0) >= run;
  }

  #task(frame: TaskFrame): Task {
    const task = this.#tasks.get(frame.taskId) ?? { ordinals: new Map(), type: '', tool: null };
    if (frame.type !== undefined) task.type = frame.type;
    if (frame.toolUseId !== undefined) task.tool = frame.toolUseId;
    this.#tasks.set(frame.taskId, task);
    return task;
  }

  #ordinal(task: Task, runId: string): number {
    const known = task.ordinals.get(runId);
    if (known !== undefined) return known;
    const next = task.ordinals.size + 1;
    task.ordinals.set(runId, next);
    return next;
  }
}

/** Claude's word for a kind of task. A monitor is a shell by its type: its tool tells it apart. */
export function kindOfTask(type: string, isMonitor: boolean): WorkloadKind {
  if (isMonitor) return 'monitor';
  if (type === 'local_agent') return 'subagent';
  return type === 'local_bash' ? 'shell' : 'other';
}
