import type { Fact } from '@vigil/liveness';
import { isObject, textAt, valueAt } from '../wire/json.ts';
import { BoundedMap, BoundedSet, type SessionUpdate } from './adapter.ts';

const TIMERS = new Set(['CronCreate', 'ScheduleWakeup']);

/** What Claude's tool frames tell about a call beyond the protocol: its tool, its label, whether it is background work. */
export class ClaudeCalls {
  readonly #tools = new BoundedMap<string>();
  readonly #labels = new BoundedMap<string>();
  readonly #detaching = new BoundedSet();
  readonly #background = new BoundedSet();
  readonly #wakeups = new BoundedSet(100);
  #armed = { wakeups: 0, others: 0 };

  /** Takes the frame in; says when a timer was armed, or what `watches` cannot see the end of. */
  read(update: SessionUpdate, blind: boolean): readonly Fact[] {
    const id = textAt(update.body, 'toolCallId');
    if (id === undefined) return [];
    const tool = textAt(update.body, 'name') ?? textAt(update.body, '_meta', 'claudeCode', 'toolName');
    if (tool !== undefined) this.#tools.set(id, tool);
    const label = textAt(update.body, 'rawInput', 'description') ?? textAt(update.body, 'title');
    if (label !== undefined) this.#labels.set(id, label);
    if (valueAt(update.body, 'rawInput', 'run_in_background') === true) this.#detaching.add(id);
    return update.body.status === 'completed' ? this.#completed(id, update.root, blind) : [];
  }

  /** A timer fired; a one-shot one is no longer armed. */
  fired(source: string): readonly Fact[] {
    if (source !== 'loop_wakeup' || this.#armed.wakeups === 0) return [];
    this.#armed.wakeups = 0;
    return this.#armed.others === 0 ? [{ kind: 'armed', mayWake: false }] : [];
  }

  toolOf(id: string): string | undefined {
    return this.#tools.get(id);
  }

  isMonitor(id: string): boolean {
    return this.#tools.get(id) === 'Monitor';
  }

  isSubagent(id: string): boolean {
    const tool = this.#tools.get(id);
    return tool === 'Agent' || tool === 'Task';
  }

  labelOf(id: string): string | undefined {
    return this.#labels.get(id);
  }

  markBackground(id: string): void {
    this.#background.add(id);
  }

  isBackground(id: string): boolean {
    return this.#background.has(id);
  }

  #completed(id: string, root: boolean, blind: boolean): readonly Fact[] {
    const tool = this.#tools.get(id) ?? '';
    if (TIMERS.has(tool)) {
      if (tool === 'ScheduleWakeup') this.#armed.wakeups += this.#wakeups.add(id) ? 1 : 0;
      else this.#armed.others += 1;
      return [{ kind: 'armed', mayWake: true }];
    }
    // Over v2 without raw nothing ever tells the end of a monitor or of a child's shell (recordings v2 07, 06b).
    const unseen = tool === 'Monitor' || (!root && tool === 'Bash' && this.#detaching.has(id));
    if (!blind || !unseen) return [];
    this.#armed.others += 1;
    return [{ kind: 'armed', mayWake: true }];
  }
}

/** The parent that Claude's metadata names for a call or a text. */
export function claudeParent(update: SessionUpdate): string | undefined {
  return textAt(update.body, '_meta', 'claudeCode', 'parentToolUseId');
}

/** True exactly for a bridge that says so: anything but `true` is no promise (S60). */
export function queuesPrompts(capabilities: unknown): boolean {
  return isObject(capabilities) && valueAt(capabilities, '_meta', 'claudeCode', 'promptQueueing') === true;
}
