import type { Call } from './turn.ts';
import type { Work } from './work.ts';

/** How long a monitor without an end says that it runs, in milliseconds. */
const MONITOR_TIMEOUT = 300_000;

/** The tool call that launches a piece of work, as the recordings show it. */
export function launchCall(work: Work): Call {
  const { name, toolCallId: id } = work;
  switch (work.kind) {
    case 'shell':
      return {
        id,
        title: name,
        tool: 'Bash',
        kind: 'execute',
        input: { command: name, description: name, run_in_background: true },
      };
    case 'subagent':
      return {
        id,
        title: name,
        tool: 'Agent',
        kind: 'think',
        input: {
          description: name,
          prompt: `Work as ${name}`,
          subagent_type: 'general-purpose',
          run_in_background: work.detached,
        },
      };
    case 'monitor':
      return {
        id,
        title: 'Monitor',
        tool: 'Monitor',
        kind: 'other',
        input: { description: name, command: name, timeout_ms: monitorTimeout(work), persistent: !work.milliseconds },
      };
  }
}

/** The call that a subagent makes itself. */
export function childCall(work: Work): Call {
  const title = `${work.name} at work`;
  return { id: work.childCallId, title, tool: 'Bash', kind: 'execute', input: { command: title, description: title } };
}

/** The time after which a monitor says that it expires, in milliseconds. */
export function monitorTimeout(work: Work): number {
  return work.milliseconds ?? MONITOR_TIMEOUT;
}

/** What the launching call of detached work answers. */
export function launchText(work: Work): string {
  switch (work.kind) {
    case 'shell':
      return `Command running in background with ID: ${work.taskId}.`;
    case 'subagent':
      return `Async agent launched successfully. agentId: ${work.taskId}`;
    case 'monitor':
      return `Monitor started (task ${work.taskId}).`;
  }
}
