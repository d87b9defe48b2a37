import { MODEL } from './claude-result.ts';
import { ClaudeSurface, origin } from './claude-surface.ts';
import { identity } from './identity.ts';
import type { Fields } from './json.ts';
import type { Conversation, StopReason, Turn } from './turn.ts';
import { terminals } from './v1-surface.ts';
import type { Work } from './work.ts';

/** Claude over ACP v1 with the SDK's own messages beside it, for a session that asked for them. */
export class ClaudeRawSurface extends ClaudeSurface {
  // The level is sent on a change only, as recorded.
  readonly #states = new WeakMap<Conversation, string>();

  override queued(turn: Turn): void {
    if (turn.origin.kind !== 'human') return;
    this.#state(turn.session, 'running');
    this.#lifecycle(turn, 'queued');
  }

  override began(turn: Turn): void {
    this.#state(turn.session, 'running');
    const human = turn.origin.kind === 'human';
    if (human) this.#lifecycle(turn, 'started');
    const prompts: Fields = human ? { user_message_uuids: [turn.messageId] } : {};
    this.#system(turn.session, 'status', { status: 'requesting', ...prompts });
    super.began(turn);
  }

  override ended(turn: Turn, stopReason: StopReason): void {
    super.ended(turn, stopReason);
    const { session } = turn;
    // Other turns may still be open after a handoff; the level is idle only when none is and no subagent lives.
    if (session.open.size === 0 && !hasSubagent(session)) this.#state(session, 'idle');
  }

  override idled(turn: Turn): void {
    super.idled(turn);
    if (!hasSubagent(turn.session)) this.#state(turn.session, 'idle');
  }

  override awaitedUser(turn: Turn, waits: boolean): void {
    this.#state(turn.session, waits ? 'requires_action' : 'running');
  }

  override launched(turn: Turn, work: Work): void {
    super.launched(turn, work);
    if (work.detached) this.#level(turn.session);
    const agent: Fields = { subagent_type: 'general-purpose', spawn_depth: 1, prompt: `Work as ${work.name}` };
    this.#system(turn.session, 'task_started', {
      ...task(work),
      tool_use_id: work.toolCallId,
      description: work.name,
      is_backgrounded: work.detached,
      task_type: taskType(work),
      ...(work.kind === 'subagent' ? agent : {}),
    });
  }

  override returned(turn: Turn, work: Work): void {
    super.returned(turn, work);
    this.#terminal(turn.session, work);
  }

  override finished(session: Conversation, work: Work): void {
    super.finished(session, work);
    for (let time = 0; time < terminals(work); time++) this.#terminal(session, work);
    this.#level(session);
    // Nothing follows a kill, so nothing else would tell that the session is idle again.
    const quiet = work.status === 'killed' && session.open.size === 0 && !hasSubagent(session);
    if (quiet) this.#state(session, 'idle');
  }

  protected override closeCycle(turn: Turn, stopReason: StopReason): void {
    this.#result(turn, stopReason);
    super.closeCycle(turn, stopReason);
    if (turn.origin.kind === 'human') this.#lifecycle(turn, stopReason === 'cancelled' ? 'cancelled' : 'completed');
  }

  #terminal(session: Conversation, work: Work): void {
    const patch: Fields = { status: work.status, end_time: Date.now() };
    this.#system(session, 'task_updated', { ...task(work), patch });
    this.#system(session, 'task_notification', {
      ...task(work),
      tool_use_id: work.toolCallId,
      // The notification's word for a killed task.
      status: work.status === 'killed' ? 'stopped' : work.status,
      output_file: '',
      summary: summary(work),
    });
  }

  #level(session: Conversation): void {
    const tasks = session.live.map((work) => ({
      ...task(work),
      task_type: taskType(work),
      ...(work.kind === 'subagent' ? { subagent_type: 'general-purpose' } : {}),
      description: work.name,
    }));
    this.#system(session, 'background_tasks_changed', { tasks });
  }

  #state(session: Conversation, state: string): void {
    if (this.#states.get(session) === state) return;
    this.#states.set(session, state);
    this.#system(session, 'session_state_changed', { state });
  }

  #lifecycle(turn: Turn, state: string): void {
    this.#raw(turn.session, { type: 'command_lifecycle', command_uuid: turn.messageId, state });
  }

  #result(turn: Turn, stopReason: StopReason): void {
    const prompts: Fields = turn.origin.kind === 'human' ? { user_message_uuids: [turn.messageId] } : {};
    this.#raw(turn.session, {
      type: 'result',
      subtype: stopReason === 'cancelled' ? 'error_during_execution' : 'success',
      is_error: stopReason === 'cancelled',
      num_turns: 1,
      stop_reason: stopReason === 'cancelled' ? null : 'end_turn',
      terminal_reason: stopReason === 'cancelled' ? 'aborted_streaming' : 'completed',
      total_cost_usd: turn.session.cost,
      usage: { input_tokens: 1000, output_tokens: 20 },
      modelUsage: { [MODEL]: { inputTokens: 1000, outputTokens: 20 } },
      origin: origin(turn),
      ...prompts,
    });
  }

  #system(session: Conversation, subtype: string, fields: Fields): void {
    this.#raw(session, { type: 'system', subtype, ...fields });
  }

  #raw(session: Conversation, message: Fields): void {
    if (!session.raw) return;
    const stamped: Fields = { ...message, uuid: identity.uuid(), session_id: session.id };
    this.outlet.notify('_claude/sdkMessage', { sessionId: session.id, message: stamped });
  }
}

function task(work: Work): Fields {
  return { task_id: work.taskId, run_id: work.runId };
}

/** The SDK has no type of its own for monitors. */
function taskType(work: Work): string {
  return work.kind === 'subagent' ? 'local_agent' : 'local_bash';
}

function summary(work: Work): string {
  if (work.kind === 'subagent') return `Final report of ${work.name}.`;
  if (work.status === 'killed') return work.name;
  const end = work.status === 'completed' ? 'completed (exit code 0)' : `failed with exit code ${work.exitCode}`;
  return `Background command "${work.name}" ${end}`;
}

function hasSubagent(session: Conversation): boolean {
  return session.live.some((work) => work.kind === 'subagent');
}
