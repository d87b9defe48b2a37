import type { TranscriptEvent } from '@vigil/acp';
import type { SessionEntry } from './entries.ts';
import type { Execution } from './execution.ts';
import { notice, outputLost, turnFailed } from './notices.ts';
import type { Draft } from './transcript.ts';
import { transcriptId } from './transcript-id.ts';
import type { Message } from './types.ts';

type EventOf<T extends TranscriptEvent['type']> = Extract<TranscriptEvent, { type: T }>;
type ToolDraft = Extract<Draft, { kind: 'tool' }>;

/** Writes what an agent said into the transcript. */
export function transcribe(execution: Execution, event: TranscriptEvent, now: number): void {
  const { entry } = execution;
  switch (event.type) {
    case 'message':
      transcribeMessage(execution, event);
      return;
    case 'tool':
      entry.transcript.put(toolDraft(execution, event, now));
      return;
    case 'plan': {
      const id = `${execution.id}/plan/${entry.turn?.generation ?? 0}`;
      const entries = event.entries.map((one) => ({ ...one }));
      entry.transcript.put({ id, kind: 'plan', entries });
      return;
    }
    case 'wake':
      if (event.phase === 'began') woken(entry, event);
      return;
    case 'failure':
      turnFailed(entry, event.message);
      return;
    case 'lost':
      outputLost(entry, event.message);
      return;
    case 'usage':
    case 'setting':
      return;
  }
}

const idOf = (execution: Execution, id: string): string => transcriptId(execution.id, id);

function parentOf(execution: Execution, parent: string | undefined): string | null {
  return parent === undefined ? null : idOf(execution, parent);
}

function transcribeMessage(execution: Execution, event: EventOf<'message'>): void {
  // A prompt is in the transcript already, under our own id.
  if (event.role === 'user') return;
  const parentToolCallId = parentOf(execution, event.parentToolCallId);
  const draft = { id: idOf(execution, event.id), kind: event.role, text: event.text, parentToolCallId } as const;
  if (event.mode === 'append') execution.entry.transcript.append(draft);
  else execution.entry.transcript.put(draft);
}

function toolDraft(execution: Execution, event: EventOf<'tool'>, now: number): ToolDraft {
  const id = idOf(execution, event.id);
  const held = execution.entry.transcript.get(id)?.message;
  const old = held?.kind === 'tool' ? held : null;
  const { status, ended } = statusOf(old, event.status);
  const at = new Date(now).toISOString();
  if (ended) execution.openTools.delete(id);
  else if (!execution.openTools.has(id)) execution.openTools.set(id, execution.entry.turn?.generation ?? null);
  return {
    id,
    kind: 'tool',
    title: event.title ?? old?.title ?? 'Tool call',
    toolKind: event.toolKind ?? old?.toolKind ?? null,
    status,
    input: event.input ?? old?.input ?? null,
    content: event.content?.map((one) => ({ ...one })) ?? old?.content ?? [],
    parentToolCallId:
      event.parentToolCallId === undefined ? (old?.parentToolCallId ?? null) : idOf(execution, event.parentToolCallId),
    startedAt: old?.startedAt ?? at,
    endedAt: ended ? (old?.endedAt ?? at) : null,
  };
}

/** What ended stays ended: a card that was closed with its turn is not opened again by a late word of the call. */
function statusOf(old: ToolDraft | null, told: ToolDraft['status'] | undefined) {
  if (old !== null && old.endedAt !== null && !hasEnded(told)) return { status: old.status, ended: true };
  const status = told ?? old?.status ?? 'pending';
  return { status, ended: hasEnded(status) };
}

const hasEnded = (status: ToolDraft['status'] | undefined): boolean =>
  status === 'completed' || status === 'failed' || status === 'cancelled';

function woken(entry: SessionEntry, event: EventOf<'wake'>): void {
  const text = event.woke === undefined ? 'The agent woke by itself' : `The agent was woken by ${event.woke}`;
  notice(entry, { code: 'woken', level: 'info', text });
}

/** How a card is closed whose call did not tell its end. */
type Closed = 'cancelled' | 'failed' | 'unknown';

/** Closes the cards of calls that will never tell their end. */
export function closeOpenTools(execution: Execution, status: Closed, now: number): void {
  for (const id of execution.openTools.keys()) closeTool(execution.entry, id, { status, now });
  execution.openTools.clear();
}

/**
 * Closes what a turn that ended left open of its foreground (S65). Background work, child sessions and what is within
 * either tell their ends themselves; a terminal that comes later is taken. A cancelled turn closes every open call.
 */
export function closeToolsOfTurn(
  execution: Execution,
  turn: { readonly generation: number; readonly status: Closed; readonly now: number },
): void {
  const { entry, openTools } = execution;
  const live = new Set(entry.shown.workloads.map((one) => one.messageId));
  for (const [id, generation] of openTools) {
    const spared = generation !== turn.generation || livesOn(entry, id, live);
    if (spared && turn.status !== 'cancelled') continue;
    openTools.delete(id);
    closeTool(entry, id, turn);
  }
}

const DEEPEST = 32;

/** True for a card that is of live background work, or of a child session, by itself or by what it is within. */
function livesOn(entry: SessionEntry, card: string, live: ReadonlySet<string | null>): boolean {
  let id: string | null = card;
  for (let depth = 0; id !== null && depth < DEEPEST; depth += 1) {
    const message: Message | undefined = entry.transcript.get(id)?.message;
    if (live.has(id) || (message?.kind === 'tool' && message.toolKind === 'subagent')) return true;
    id = message?.kind === 'tool' ? message.parentToolCallId : null;
  }
  return false;
}

/** The same for an execution of an earlier life, whose cards are known from the transcript only. */
export function closeLeftTools(entry: SessionEntry, now: number): void {
  for (const message of entry.transcript.all()) {
    if (message.kind === 'tool' && message.endedAt === null) closeTool(entry, message.id, { status: 'cancelled', now });
  }
}

function closeTool(entry: SessionEntry, id: string, how: { status: Closed; now: number }): void {
  const message = entry.transcript.get(id)?.message;
  if (message?.kind !== 'tool') return;
  const { seq: _seq, createdAt: _createdAt, ...draft } = message;
  entry.transcript.put({ ...draft, status: how.status, endedAt: new Date(how.now).toISOString() });
}
