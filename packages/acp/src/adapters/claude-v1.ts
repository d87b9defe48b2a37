import type { Fact, Generation, Traits } from '@vigil/liveness';
import { attest, type Evidence, type WorkloadKind, type WorkNames } from '@vigil/liveness/attestation';
import { isObject, type JsonObject, objectAt, textAt, valueAt } from '../wire/json.ts';
import type { RpcAnswer } from '../wire/json-rpc-peer.ts';
import { AcpV1 } from './acp-v1.ts';
import {
  type Agreement,
  type Asker,
  type Asking,
  BoundedMap,
  BoundedSet,
  CurrentTraits,
  type SessionUpdate,
  type StopTarget,
} from './adapter.ts';
import { ChildRuns } from './child-runs.ts';
import { ClaudeCalls, claudeParent, queuesPrompts } from './claude-calls.ts';
import { ClaudeRaw, rawMessage } from './claude-raw.ts';
import { PromptIds } from './receipt-turns.ts';
import { StopBook } from './stop-book.ts';

interface Launch {
  readonly kind: WorkloadKind;
  readonly taskId: string | undefined;
}

/** What a cancel takes along: with child sessions declared and understood nothing, else subagents (S65). */
const KILLS_NONE: Traits['cancelKills'] = [];
const KILLS_SUBAGENTS: Traits['cancelKills'] = ['subagent'];

/** Claude over ACP v1: launches by the bridge's own metadata, ends where a surface tells them (S28–S31). */
export class ClaudeV1 extends AcpV1 {
  readonly #calls: ClaudeCalls;
  readonly #ids = new PromptIds();
  readonly #stops = new StopBook();
  readonly #children = new ChildRuns();
  readonly #raw: ClaudeRaw;
  readonly #traits: CurrentTraits;
  /** Detached launches by the task that they started. */
  readonly #launched = new BoundedMap<WorkNames>(5_000);
  /** Attempts of foreground subagents: a permission for the very call ends one, its grant begins the next (S30). */
  readonly #attempts = new BoundedMap<{ attempt: number; live: boolean; detached: boolean }>(5_000);
  /** Child sessions are on the wire (`subagents`), so ends have names. */
  #hasChildSessions = false;
  #namesEnds = false;
  /** Runs of child sessions that were seen to outlive a turn, or to begin without one. */
  readonly #detachedChildren = new BoundedSet(5_000);

  constructor(agreement: Agreement, malformed: (kind: string) => void = () => undefined) {
    const calls = new ClaudeCalls();
    super({ parentOf: claudeParent, isBackground: (id) => calls.isBackground(id), isNotice: () => false });
    this.#calls = calls;
    this.#raw = new ClaudeRaw({
      ids: this.#ids,
      calls,
      stops: this.#stops,
      taken: (id, state) => this.#taken(id, state),
      resultEnds: true,
      malformed,
    });
    const handoff = queuesPrompts(agreement.answer.agentCapabilities);
    this.#traits = new CurrentTraits({ ...super.traits, reports: true, handoff, wakes: true, agentCycles: true });
  }

  override get traits(): Traits {
    const levels = this.#raw.counts ? 1 : 0;
    return this.#traits.with({ levels, cancelKills: this.#hasChildSessions ? KILLS_NONE : KILLS_SUBAGENTS });
  }

  override update(update: SessionUpdate): readonly Fact[] {
    const armed = this.#calls.read(update, false);
    if (update.kind === 'subagent_update') return this.#childSession(update);
    if (!update.root) return [...armed, ...super.update(update)];
    if (update.kind === 'usage_update') return [...super.update(update), ...this.#usage(update.body)];
    const attested = this.#call(update);
    return [...armed, ...attested, ...super.update(update)];
  }

  override notified(method: string, params: JsonObject): readonly Fact[] {
    const message = rawMessage(method, params);
    return message ? this.#raw.read(message) : [];
  }

  override replayed(update: SessionUpdate): void {
    this.#calls.read(update, false);
    super.replayed(update);
  }

  override written(generation: Generation): void {
    super.written(generation);
    this.#ids.written(generation);
  }

  override answered(generation: Generation, answer: RpcAnswer): readonly Fact[] {
    // A prompt without a command by now never gets one: the next command is of a later prompt.
    const prompt = this.#ids.of(generation, undefined);
    if (prompt && (prompt.messageId === null || prompt.over)) this.#ids.remove(prompt);
    else if (prompt) prompt.answered = true;
    return super.answered(generation, answer);
  }

  override asked(asking: Asking): readonly Fact[] {
    const suspended = asking.toolCallId === undefined ? [] : this.#suspend(asking.toolCallId);
    return [...suspended, ...super.asked(asking)];
  }

  override decided(asking: Asking, allowed: boolean): readonly Fact[] {
    return allowed && asking.toolCallId !== undefined ? this.#resume(asking.toolCallId) : [];
  }

  override asker(asking: Asking): Asker {
    if (!asking.root) {
      const name = this.#children.nameOf(asking.sessionId);
      const background = this.#raw.isListed(asking.sessionId) || this.#detachedChildren.has(name);
      return { askedBy: this.#children.calledOf(asking.sessionId), background };
    }
    const call = objectAt(asking.body, 'toolCall');
    const parent =
      textAt(call, '_meta', 'claudeCode', 'parentToolUseId') ??
      (asking.toolCallId && this.output.parentOf(asking.toolCallId));
    if (!parent) return { askedBy: null, background: false };
    return { askedBy: this.#calls.labelOf(parent) ?? parent, background: this.#calls.isBackground(parent) };
  }

  override stopTarget(workloadId: string): StopTarget | null {
    return this.#stops.targetOf(workloadId);
  }

  #taken(messageId: string, state: 'queued' | 'started'): readonly Fact[] {
    const prompt = this.#ids.bound(messageId);
    if (!prompt) return [];
    const accepted = this.turns.accept(prompt.generation);
    if (state !== 'started' || prompt.begun) return accepted;
    prompt.begun = true;
    return [...accepted, { kind: 'prompt.begun', generation: prompt.generation }];
  }

  /** The closing usage of a cycle names its origin; only a human one says anything about a prompt (S59). */
  #usage(body: JsonObject): readonly Fact[] {
    if (!isObject(body.cost)) return [];
    this.output.turnEnded();
    const origin = objectAt(body, '_meta', '_claude/origin');
    const kind = textAt(origin, 'kind');
    if (kind === 'human') {
      const generation = this.turns.yield();
      const closed: Fact = generation === null ? { kind: 'cycle.closed' } : { kind: 'yielded', generation };
      return [...this.#outlived(), closed];
    }
    if (kind === undefined) return this.turns.isOpen ? [] : [{ kind: 'cycle.closed' }];
    if (kind !== 'task-notification' || this.#raw.counts || this.#namesEnds) return [{ kind: 'cycle.closed' }];
    const marked = textAt(origin, 'runId') !== undefined;
    return [fact({ what: 'ended.unnamed', marked }), { kind: 'cycle.closed' }];
  }

  /** A child session that is at work when its turn closes blocked none: it was started in the background (v1-subagents 06). */
  #outlived(): readonly Fact[] {
    return this.#children.working().flatMap((child) => {
      const isNew = this.#detachedChildren.add(this.#children.nameOf(child));
      return isNew ? [fact({ what: 'detached', names: [this.#children.nameOf(child)] })] : [];
    });
  }

  #call(update: SessionUpdate): readonly Fact[] {
    const id = textAt(update.body, 'toolCallId');
    if (id === undefined) return [];
    const parent = claudeParent(update) ?? this.output.parentOf(id);
    // A child's own launches have no end on this wire (S31); that it speaks proves that its parent lives (S30).
    if (parent !== undefined) return this.#alive(parent);
    return [
      ...this.#launch(id, update.body),
      ...this.#blocking(id, update.body),
      ...this.#terminalExit(id, update.body),
    ];
  }

  /** The bridge's result of a launching tool, never the text or the input of any tool. */
  #launch(id: string, body: JsonObject): readonly Fact[] {
    const response = objectAt(body, '_meta', 'claudeCode', 'toolResponse');
    const tool = textAt(body, '_meta', 'claudeCode', 'toolName');
    if (tool === 'TaskStop') return this.#taskStopped(textAt(response, 'task_id'));
    const launch = launchOf(tool, response);
    if (!launch) return [];
    this.#calls.markBackground(id);
    const attempt = this.#attempts.get(id);
    if (attempt) attempt.detached = true;
    const names: WorkNames = [this.#nameOf(id)];
    if (launch.taskId !== undefined) this.#launched.set(launch.taskId, names);
    return [fact({ what: 'started', names, kind: launch.kind, detached: true, ...this.#label(id) })];
  }

  #taskStopped(taskId: string | undefined): readonly Fact[] {
    const names = taskId === undefined ? undefined : this.#launched.get(taskId);
    return names ? [fact({ what: 'ended', names })] : [];
  }

  /** A blocking subagent: live from the frame that has its input to the end of its call. */
  #blocking(id: string, body: JsonObject): readonly Fact[] {
    if (this.#raw.counts || !this.#calls.isSubagent(id)) return [];
    const known = this.#attempts.get(id);
    if (!known) {
      if (textAt(body, 'rawInput', 'prompt') === undefined || this.#calls.isBackground(id)) return [];
      this.#attempts.set(id, { attempt: 1, live: true, detached: false });
      return [this.#started(id)];
    }
    const closed = ['completed', 'failed', 'cancelled'].includes(textAt(body, 'status') ?? '');
    if (!closed || !known.live || known.detached) return [];
    known.live = false;
    return [fact({ what: 'ended', names: [this.#nameOf(id)] })];
  }

  #suspend(id: string): readonly Fact[] {
    const known = this.#attempts.get(id);
    if (!known?.live || known.detached) return [];
    known.live = false;
    return [fact({ what: 'ended', names: [this.#nameOf(id)] })];
  }

  #resume(id: string): readonly Fact[] {
    const known = this.#attempts.get(id);
    if (!known || known.live || known.detached) return [];
    known.attempt += 1;
    known.live = true;
    return [this.#started(id)];
  }

  #alive(parent: string): readonly Fact[] {
    if (this.#raw.counts || this.#hasChildSessions || this.#calls.isBackground(parent) || this.#attempts.has(parent))
      return [];
    this.#attempts.set(parent, { attempt: 1, live: true, detached: false });
    return [this.#started(parent)];
  }

  /** With `terminal_output` the real end of a root shell comes as an exit on an update without a status. */
  #terminalExit(id: string, body: JsonObject): readonly Fact[] {
    if (!isObject(valueAt(body, '_meta', 'terminal_exit')) || body.status !== undefined) return [];
    if (this.#raw.counts || !this.#calls.isBackground(id)) return [];
    this.#namesEnds = true;
    return [fact({ what: 'ended', names: [this.#nameOf(id)] })];
  }

  #childSession(update: SessionUpdate): readonly Fact[] {
    const child = textAt(update.body, 'sessionId');
    if (child === undefined) return [];
    this.#hasChildSessions = true;
    this.#namesEnds = true;
    const change = this.#children.observe(child, textAt(update.body, 'state', 'state') ?? 'running');
    const names: WorkNames = [this.#children.nameOf(child)];
    this.#stops.join(names, { how: 'session', sessionId: child });
    const title = textAt(update.body, 'title');
    this.#children.entitle(child, title);
    const shown = { names, kind: 'subagent', ...(title !== undefined && { label: title }), stoppable: true } as const;
    if (change === 'ended') return [fact({ what: 'ended', names })];
    if (change === null) return [];
    const known = this.#raw.counts && this.#raw.runs.knows(child, this.#children.runOf(child));
    if (known) return [fact({ what: 'named', ...shown })];
    // A child that begins while nobody's turn runs blocks none: it was resumed.
    const detached = !this.turns.isOpen;
    if (detached) this.#detachedChildren.add(names[0]);
    return [fact({ what: 'started', detached, ...shown })];
  }

  #started(id: string): Fact {
    return fact({ what: 'started', names: [this.#nameOf(id)], kind: 'subagent', detached: false, ...this.#label(id) });
  }

  #nameOf(id: string): string {
    const attempt = this.#attempts.get(id)?.attempt ?? 1;
    return attempt === 1 ? `tool:${id}` : `tool:${id}#${attempt}`;
  }

  #label(id: string): { readonly label?: string } {
    const label = this.#calls.labelOf(id);
    return label === undefined ? {} : { label };
  }
}

function launchOf(tool: string | undefined, response: JsonObject): Launch | null {
  const shell = textAt(response, 'backgroundTaskId');
  if (tool === 'Bash' && shell !== undefined) return { kind: 'shell', taskId: shell };
  const agent = textAt(response, 'agentId');
  const isAsync = response.isAsync === true || response.status === 'async_launched';
  if ((tool === 'Agent' || tool === 'Task') && isAsync && agent !== undefined)
    return { kind: 'subagent', taskId: agent };
  const task = textAt(response, 'taskId');
  if (tool === 'Monitor' && task !== undefined) return { kind: 'monitor', taskId: task };
  if (tool === 'Workflow' && task !== undefined && response.taskType === 'local_workflow')
    return { kind: 'other', taskId: task };
  return null;
}

function fact(evidence: Evidence): Fact {
  return { kind: 'attested', attestation: attest(evidence) };
}
