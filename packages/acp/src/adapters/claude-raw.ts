import type { Fact, Generation } from '@vigil/liveness';
import { attest, type Evidence, type RosterItem, type WorkNames } from '@vigil/liveness/attestation';
import { isObject, type JsonObject, objectAt, textAt } from '../wire/json.ts';
import type { ClaudeCalls } from './claude-calls.ts';
import { ClaudeRuns, kindOfTask, type TaskFrame } from './claude-runs.ts';
import type { PromptIds } from './receipt-turns.ts';
import { reportedList } from './reported-list.ts';
import type { StopBook } from './stop-book.ts';

const OVER = new Set(['completed', 'failed', 'killed', 'stopped', 'cancelled']);
const RANK = 2;

/** What the protocol side of a Claude surface does with a prompt's own frames. */
export interface RawSurface {
  readonly ids: PromptIds;
  readonly calls: ClaudeCalls;
  readonly stops: StopBook;
  /** The prompt was taken in or up, by its command's id. */
  readonly taken: (messageId: string, state: 'queued' | 'started') => readonly Fact[];
  /** A `result` ends the level while subagents keep the session's own level running (v1: nothing else says so). */
  readonly resultEnds: boolean;
  /** A list was malformed and not taken (S123). */
  readonly malformed: (kind: string) => void;
}

/** Claude's raw messages: the level of the foreground, exact ends of prompts and the complete set of detached work. */
export class ClaudeRaw {
  readonly runs = new ClaudeRuns();
  readonly #surface: RawSurface;
  #counts = false;
  /** Reported before raw was known to count. */
  #early: string | null = null;
  /** Detached work other than shells keeps Claude's own level at `running`. */
  #holders = new Set<string>();
  #listed = new Set<string>();

  constructor(surface: RawSurface) {
    this.#surface = surface;
  }

  /** True once the agent was seen to speak the channel in full (0.49 sends parts of it only). */
  get counts(): boolean {
    return this.#counts;
  }

  isListed(taskId: string): boolean {
    return this.#listed.has(taskId);
  }

  read(message: JsonObject): readonly Fact[] {
    const type = textAt(message, 'type');
    const subtype = textAt(message, 'subtype');
    const tells = type === 'command_lifecycle' || (type === 'system' && subtype === 'background_tasks_changed');
    if (!this.#counts && !tells) {
      if (subtype === 'session_state_changed') this.#early = textAt(message, 'state') ?? null;
      return [];
    }
    const early = this.#begin();
    if (type === 'command_lifecycle') return [...early, ...this.#command(message)];
    if (type === 'result') return this.#result(message);
    return type === 'system' ? [...early, ...this.#system(subtype ?? '', message)] : [];
  }

  #begin(): readonly Fact[] {
    if (this.#counts) return [];
    this.#counts = true;
    return this.#early === null ? [] : this.#level(this.#early);
  }

  #system(subtype: string, message: JsonObject): readonly Fact[] {
    switch (subtype) {
      case 'background_tasks_changed':
        return this.#list(message);
      case 'task_started':
        return this.#started(message);
      case 'task_updated':
        return this.#updated(message);
      case 'task_notification':
        return OVER.has(textAt(message, 'status') ?? '') ? this.#over(message) : [];
      case 'session_state_changed':
        return this.#level(textAt(message, 'state') ?? '');
      case 'status':
        return this.#status(message);
      default:
        return [];
    }
  }

  #command(message: JsonObject): readonly Fact[] {
    const id = textAt(message, 'command_uuid');
    const state = textAt(message, 'state');
    if (id === undefined) return [];
    const source = textAt(message, 'wakeup_source');
    if (source !== undefined) return state === 'started' ? this.#surface.calls.fired(source) : [];
    if (state === 'queued' || state === 'started') return this.#surface.taken(id, state);
    if (state !== 'completed' && state !== 'cancelled') return [];
    const generation: Generation | undefined = this.#surface.ids.completed(id);
    if (generation === undefined) return [];
    return [{ kind: 'prompt.completed', generation, ...(state === 'cancelled' && { stopReason: 'cancelled' }) }];
  }

  #list(message: JsonObject): readonly Fact[] {
    const tasks = reportedList(message.tasks);
    if (!tasks?.every((task) => isObject(task) && textAt(task, 'task_id') !== undefined)) {
      this.#surface.malformed('background_tasks_changed');
      return [];
    }
    const items: RosterItem[] = [];
    this.#holders = new Set();
    this.#listed = new Set();
    for (const task of tasks) {
      const frame = frameOf(task);
      if (!isObject(task) || !frame || task.ambient === true) continue;
      this.#listed.add(frame.taskId);
      if (frame.type !== 'local_bash') this.#holders.add(frame.taskId);
      items.push(this.#item(frame, task));
    }
    return [fact({ what: 'roster', rank: RANK, items })];
  }

  #item(frame: TaskFrame, task: JsonObject): RosterItem {
    return { ...this.#shown(frame, task), status: 'running' };
  }

  #shown(frame: TaskFrame, task: JsonObject) {
    const names = this.#names(frame);
    const tool = this.runs.toolOf(frame.taskId);
    const isMonitor = tool !== null && this.#surface.calls.isMonitor(tool);
    const label = textAt(task, 'description');
    const stoppable = names.some((name) => this.#surface.stops.targetOf(name) !== null);
    return {
      names,
      kind: kindOfTask(this.runs.typeOf(frame.taskId) ?? '', isMonitor),
      ...(label !== undefined && { label }),
      ...(stoppable && { stoppable }),
    };
  }

  #names(frame: TaskFrame): WorkNames {
    const names = this.runs.names(frame);
    this.#surface.stops.join(names);
    return names;
  }

  /** A start by itself is no launch: foreground shells have it as well, about 3 s in. */
  #started(message: JsonObject): readonly Fact[] {
    const frame = frameOf(message);
    if (!frame || message.ambient === true) return [];
    const shown = this.#shown(frame, message);
    const detached = message.is_backgrounded;
    if (detached === true && frame.toolUseId !== undefined) this.#surface.calls.markBackground(frame.toolUseId);
    if (detached === true) return [fact({ what: 'started', detached: true, ...shown })];
    if (detached === false && frame.type === 'local_agent')
      return [fact({ what: 'started', detached: false, ...shown })];
    return [fact({ what: 'named', ...shown })];
  }

  #updated(message: JsonObject): readonly Fact[] {
    const patch = objectAt(message, 'patch');
    if (OVER.has(textAt(patch, 'status') ?? '')) return this.#over(message);
    const frame = patch.is_backgrounded === true ? frameOf(message) : null;
    if (!frame) return [];
    const tool = this.runs.toolOf(frame.taskId);
    if (tool !== null) this.#surface.calls.markBackground(tool);
    return [fact({ what: 'started', detached: true, ...this.#shown(frame, message) })];
  }

  #over(message: JsonObject): readonly Fact[] {
    const frame = frameOf(message);
    return frame ? [fact({ what: 'ended', names: this.#names(frame) })] : [];
  }

  #level(state: string): readonly Fact[] {
    if (state === 'idle') return [raw('idle')];
    if (this.#holders.size > 0) return [];
    if (state === 'running' || state === 'requires_action') return [raw(state)];
    return [raw('unknown')];
  }

  #status(message: JsonObject): readonly Fact[] {
    return textAt(message, 'status') === 'requesting' && isRoot(message) ? [raw('running')] : [];
  }

  #result(message: JsonObject): readonly Fact[] {
    return this.#surface.resultEnds && this.#holders.size > 0 && isRoot(message) ? [raw('idle')] : [];
  }
}

function raw(state: 'running' | 'requires_action' | 'idle' | 'unknown'): Fact {
  return { kind: 'foreground', level: 'raw', state };
}

function isRoot(message: JsonObject): boolean {
  return (message.parent_tool_use_id ?? null) === null;
}

function frameOf(task: unknown): TaskFrame | null {
  const taskId = textAt(task, 'task_id');
  if (taskId === undefined) return null;
  return {
    taskId,
    runId: textAt(task, 'run_id') ?? '',
    type: textAt(task, 'task_type'),
    toolUseId: textAt(task, 'tool_use_id'),
  };
}

function fact(evidence: Evidence): Fact {
  return { kind: 'attested', attestation: attest(evidence) };
}

/** The raw message of a notification on the channel that we asked for; null for any other. */
export function rawMessage(method: string, params: JsonObject): JsonObject | null {
  return method === '_claude/sdkMessage' ? objectAt(params, 'message') : null;
}
