import type { Fact } from '@vigil/liveness';
import { attest, type Evidence, type RosterItem, type WorkloadKind } from '@vigil/liveness/attestation';
import { isObject, type JsonObject, objectAt, textAt, valueAt } from '../wire/json.ts';
import { BoundedMap, BoundedSet, type SessionUpdate } from './adapter.ts';
import { ChildRuns } from './child-runs.ts';
import { type ProcessItems, processId } from './hermes-items.ts';
import { reportedList } from './reported-list.ts';
import { StopBook } from './stop-book.ts';

/** What differs between an agent that reports by protocol and one whose wire we know better. */
export interface WorkRules {
  /** Names the run behind a terminal's id. */
  readonly terminalName: (terminalId: string) => string;
  readonly kindOfCall: (toolCallId: string) => WorkloadKind;
  /** Child sessions are attested only once a well-formed list came: the agent reports (S24). */
  readonly onlyWhenReported: boolean;
  /** Another source tells begin and end of child sessions; frames of theirs only name. */
  readonly childrenByOther: (sessionId: string, run: number) => boolean;
  /** Reads items that carry their own status, where the agent is known to list such; null: their type is unknown. */
  readonly processes: ProcessItems | null;
  /** A list was malformed and not taken (S123). */
  readonly malformed: (kind: string) => void;
}

const BY_PROTOCOL: WorkRules = {
  terminalName: (id) => `terminal:${id}`,
  kindOfCall: () => 'other',
  onlyWhenReported: true,
  childrenByOther: () => false,
  processes: null,
  malformed: () => undefined,
};

/** Reads the background lists, child sessions and capabilities of ACP v2 into evidence (S32, S33). */
export class AcpV2Work {
  readonly runs = new ChildRuns();
  readonly stops = new StopBook();
  readonly #rules: WorkRules;
  readonly #labels = new BoundedMap<string>(5_000);
  readonly #stoppable = new BoundedSet(5_000);
  readonly #children = new BoundedMap<{ title?: string; canStop: boolean }>(5_000);
  /** Last well-formed list of each session. */
  readonly #lists = new Map<string, readonly JsonObject[]>();
  #rootId: string | null = null;
  #rootIsIdle = true;

  constructor(rules: Partial<WorkRules> = {}) {
    this.#rules = { ...BY_PROTOCOL, ...rules };
  }

  get reported(): boolean {
    return this.#rootId !== null;
  }

  read(update: SessionUpdate): readonly Fact[] {
    switch (update.kind) {
      case 'state_update':
        return this.#state(update);
      case 'subagent_update':
        return this.#subagent(update);
      case 'terminal_update':
        this.#terminal(update);
        return [];
      case 'tool_call':
      case 'tool_call_update':
        this.#call(update);
        return [];
      default:
        return [];
    }
  }

  /** True for a child session that is on a list of background work. */
  isListed(sessionId: string): boolean {
    return this.#union().some((item) => textAt(item, 'sessionId') === sessionId);
  }

  #state(update: SessionUpdate): readonly Fact[] {
    if (update.root) this.#rootIsIdle = update.body.state === 'idle';
    const facts = update.root ? [] : this.#child(update.sessionId, textAt(update.body, 'state'));
    return [...facts, ...this.#list(update.sessionId, update.root, update.body)];
  }

  #list(sessionId: string, root: boolean, body: JsonObject): readonly Fact[] {
    const list = wellFormed(body.background, this.#rules.processes !== null);
    if (!list) {
      if ((body.background ?? null) !== null) this.#rules.malformed('background');
      return [];
    }
    if (root) this.#rootId = sessionId;
    // A child's list that says nothing new must not repeat the root's, which may be stale by now.
    const isNew = root || JSON.stringify(list) !== JSON.stringify(this.#lists.get(sessionId) ?? []);
    this.#lists.set(sessionId, list);
    if (!this.reported || !isNew) return [];
    return [fact({ what: 'roster', rank: 1, items: this.#items() })];
  }

  /** The root's list with the lists of the children on it: work of a listed child is work of the session. */
  #union(): readonly JsonObject[] {
    const union: JsonObject[] = [];
    const open = this.#rootId === null ? [] : [this.#rootId];
    for (let at = 0; at < open.length; at += 1) {
      for (const item of this.#lists.get(open[at] ?? '') ?? []) {
        union.push(item);
        const child = item.type === 'subagent' ? textAt(item, 'sessionId') : undefined;
        if (child !== undefined && !open.includes(child)) open.push(child);
      }
    }
    return union;
  }

  #items(): readonly RosterItem[] {
    const items = new Map<string, RosterItem>();
    for (const item of this.#union()) {
      const process = isProcess(item) ? this.#rules.processes?.read(item) : null;
      if (process) items.set(process.names[0], process);
      if (process) continue;
      const { name, kind } = this.#identity(item);
      const child = this.#children.get(textAt(item, 'sessionId') ?? '');
      const label = child?.title ?? this.#labels.get(name);
      const stoppable = child?.canStop ?? this.#stoppable.has(name);
      items.set(name, {
        names: [name],
        kind,
        status: 'running',
        ...(label !== undefined && { label }),
        ...(stoppable && { stoppable }),
      });
    }
    const listed = [...items.values()];
    this.#rules.processes?.listed(listed);
    return listed;
  }

  #identity(item: JsonObject): { readonly name: string; readonly kind: WorkloadKind } {
    const terminal = item.type === 'terminal' ? textAt(item, 'terminalId') : undefined;
    if (terminal !== undefined) return { name: this.#rules.terminalName(terminal), kind: 'shell' };
    const child = item.type === 'subagent' ? textAt(item, 'sessionId') : undefined;
    if (child !== undefined) return { name: this.runs.nameOf(child), kind: 'subagent' };
    const call = item.type === 'tool_call' ? textAt(item, 'toolCallId') : undefined;
    if (call !== undefined) return { name: `tool:${call}`, kind: this.#rules.kindOfCall(call) };
    return { name: `other:${canonical(item)}`, kind: 'other' };
  }

  #subagent(update: SessionUpdate): readonly Fact[] {
    const sessionId = textAt(update.body, 'sessionId');
    if (sessionId === undefined) return [];
    const known = this.#children.get(sessionId);
    const title = textAt(update.body, 'title') ?? known?.title;
    this.runs.entitle(sessionId, title);
    this.#children.set(sessionId, {
      canStop: known?.canStop === true || cancels(update.body),
      ...(title !== undefined && { title }),
    });
    const state = objectAt(update.body, 'state');
    return [...this.#child(sessionId, textAt(state, 'state')), ...this.#list(sessionId, false, state)];
  }

  #child(sessionId: string, state: string | undefined): readonly Fact[] {
    const change = state === undefined ? null : this.runs.observe(sessionId, state);
    if (change === null || (this.#rules.onlyWhenReported && !this.reported)) return [];
    const names = [this.runs.nameOf(sessionId)] as const;
    if (change === 'ended') return [fact({ what: 'ended', names })];
    const { title: label, canStop = false } = this.#children.get(sessionId) ?? {};
    if (canStop) this.stops.join(names, { how: 'session', sessionId });
    const shown = {
      names,
      kind: 'subagent',
      ...(label !== undefined && { label }),
      ...(canStop && { stoppable: true }),
    } as const;
    if (this.#rules.childrenByOther(sessionId, this.runs.runOf(sessionId))) return [fact({ what: 'named', ...shown })];
    // A child that begins while nobody's turn runs blocks none: it was resumed.
    return [fact({ what: 'started', detached: this.#rootIsIdle || this.isListed(sessionId), ...shown })];
  }

  #terminal(update: SessionUpdate): void {
    const id = textAt(update.body, 'terminalId');
    if (id === undefined) return;
    const name = this.#rules.terminalName(id);
    const command = textAt(update.body, 'command');
    if (command !== undefined) this.#labels.set(name, command);
    if (cancels(update.body)) this.#stop(name, { how: 'terminal', sessionId: update.sessionId, terminalId: id });
    else if (update.body.capabilities === null) this.stops.forget(name);
  }

  #call(update: SessionUpdate): void {
    const id = textAt(update.body, 'toolCallId');
    if (id === undefined) return;
    const title = textAt(update.body, 'title');
    if (title !== undefined) this.#labels.set(`tool:${id}`, title);
    if (cancels(update.body)) this.#stop(`tool:${id}`, { how: 'tool', sessionId: update.sessionId, toolCallId: id });
  }

  #stop(name: string, target: Parameters<StopBook['join']>[1]): void {
    this.#stoppable.add(name);
    this.stops.join([name], target);
  }
}

function cancels(body: JsonObject): boolean {
  return isObject(valueAt(body, 'capabilities', 'cancel'));
}

function fact(evidence: Evidence): Fact {
  return { kind: 'attested', attestation: attest(evidence) };
}

const ID_OF_TYPE: Readonly<Record<string, string>> = {
  terminal: 'terminalId',
  subagent: 'sessionId',
  tool_call: 'toolCallId',
};

/** A list is taken whole or not at all: omitted, null or malformed means that nothing was reported. */
function wellFormed(background: unknown, processes: boolean): readonly JsonObject[] | null {
  const list = reportedList(background);
  if (!list?.every(isObject)) return null;
  const complete = list.every((item) => {
    const type = textAt(item, 'type');
    if (type === undefined) return false;
    if (processes && isProcess(item)) return processId(item) !== undefined;
    const id = Object.hasOwn(ID_OF_TYPE, type) ? ID_OF_TYPE[type] : undefined;
    return id === undefined || textAt(item, id) !== undefined;
  });
  return complete ? list : null;
}

/** A process with its status inline, by its plain name or by that of an extension. */
function isProcess(item: JsonObject): boolean {
  return item.type === 'process' || item.type === '_process';
}

/** An item of a kind that we do not know is one item by its id, or however its keys are ordered. */
function canonical(item: JsonObject): string {
  const id = textAt(item, 'id');
  if (id !== undefined) return JSON.stringify([item.type, id]);
  const keys = Object.keys(item)
    .filter((key) => key !== '_meta')
    .sort();
  return JSON.stringify(keys.map((key) => [key, item[key]]));
}
