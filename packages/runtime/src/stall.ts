import type { Execution } from './execution.ts';
import { notice } from './notices.ts';
import type { Runtime } from './runtime.ts';
import { timeInWords } from './time-in-words.ts';

/** Looks at live executions now and then; a foreground that is quiet for long gets a notice, once per turn (S130). */
export function watchStalls(runtime: Runtime): () => void {
  const { stallAfterMs } = runtime.deps.config;
  const noticed = new Map<string, number>();
  const timer = setInterval(
    () => {
      for (const id of noticed.keys()) if (!runtime.executions.has(id)) noticed.delete(id);
      for (const execution of runtime.executions.values()) check(runtime, execution, noticed);
    },
    Math.max(1_000, Math.min(stallAfterMs / 4, 30_000)),
  );
  timer.unref();
  return () => clearInterval(timer);
}

function check(runtime: Runtime, execution: Execution, noticed: Map<string, number>): void {
  const { entry } = execution;
  const { generation, state, foregroundActivity } = entry.shown;
  if (execution.facts !== null || generation === null || state !== 'running' || foregroundActivity !== 'generating')
    return;
  const quietFor = runtime.deps.now() - Math.max(execution.lastFrameAt, entry.turn?.startedAt ?? 0);
  if (quietFor < runtime.deps.config.stallAfterMs || noticed.get(execution.id) === generation) return;
  noticed.set(execution.id, generation);
  const text = `Nothing was heard of the agent for ${timeInWords(quietFor)}. It waits on ${waitsOn(execution)}. Cancel the turn if it hangs.`;
  notice(entry, { code: 'stalled', level: 'warning', text });
}

function waitsOn(execution: Execution): string {
  const { requests, transcript } = execution.entry;
  const request = [...requests.values()][0];
  if (request !== undefined) return `an answer to "${request.title}"`;
  const [tool] = execution.openTools.keys();
  const message = tool === undefined ? undefined : transcript.get(tool)?.message;
  return message?.kind === 'tool' ? `the tool call "${message.title}"` : 'the agent itself';
}
