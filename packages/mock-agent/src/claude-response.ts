import type { Fields } from './json.ts';
import type { Call } from './turn.ts';
import type { Work } from './work.ts';
import { monitorTimeout } from './work-call.ts';

/** What a call shows of itself. */
export function summarise(call: Call): string {
  const text = call.input.prompt ?? call.input.description;
  return typeof text === 'string' ? text : call.title;
}

/** What a shell that was waited for answers. */
export function shellResult(stdout: string): Fields {
  return { stdout, stderr: '', interrupted: false, isImage: false, noOutputExpected: false };
}

/** What attests that detached work was launched. */
export function acknowledgement(work: Work): Fields {
  switch (work.kind) {
    case 'shell':
      return { ...shellResult(''), backgroundTaskId: work.taskId };
    case 'monitor':
      return { taskId: work.taskId, timeoutMs: monitorTimeout(work), persistent: work.milliseconds === undefined };
    case 'subagent':
      return {
        isAsync: true,
        status: 'async_launched',
        agentId: work.taskId,
        description: work.name,
        prompt: `Work as ${work.name}`,
        outputFile: `/tmp/${work.taskId}.output`,
        canReadOutputFile: true,
        canContinueAgent: true,
      };
  }
}

/** What a subagent that was waited for answers. */
export function handBack(work: Work, report: string): Fields {
  return {
    status: 'completed',
    prompt: `Work as ${work.name}`,
    agentId: work.taskId,
    agentType: 'general-purpose',
    content: [{ type: 'text', text: report }],
    totalToolUseCount: 1,
    canContinueAgent: true,
  };
}
