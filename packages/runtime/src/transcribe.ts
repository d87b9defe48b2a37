import type { TranscriptEvent } from '@vigil/acp';
import type { SessionEntry } from './entries.ts';
import type { Execution } from './execution.ts';
import { notice, outputLost, turnFailed } from './notices.ts';
import type { Draft } from './transcript.ts';
import { transcriptId } from './transcript-id.ts';

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
  // What ended stays ended: a call that was closed at the end of its turn is not opened again by a late word of it.
  const late = old !== null && hasEnded(old.status) && !hasEnded(event.status);
  const status = (late ? old.status : event.status) ?? old?.status ?? 'pending';
  const ended = hasEnded(status);
  const at = new Date(now).toISOString();
  if (ended) execution.openTools.delete(id);
  else execution.openTools.add(id);
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

type ToolStatus = ToolDraft['status'];

const hasEnded = (status: ToolStatus | undefined): boolean =>
  status === 'completed' || status === 'failed' || status === 'cancelled';

function woken(entry: SessionEntry, event: EventOf<'wake'>): void {
  const text = event.woke === undefined ? 'The agent woke by itself' : `The agent was woken by ${event.woke}`;
  notice(entry, { code: 'woken', level: 'info', text });
}

/** Closes the cards of calls that will never tell their end: of all of an execution that ended, or those that are named. */
export function closeOpenTools(
  execution: Execution,
  status: 'completed' | 'cancelled' | 'failed',
  { now, which = () => true }: { now: number; which?: (id: string) => boolean },
): void {
  for (const id of [...execution.openTools]) {
    if (!which(id)) continue;
    closeTool(execution.entry, id, { status, now });
    execution.openTools.delete(id);
  }
}

/** The same for an execution of an earlier life, whose cards are known from the transcript only. */
export function closeLeftTools(entry: SessionEntry, now: number): void {
  for (const message of entry.transcript.all()) {
    if (message.kind === 'tool' && message.endedAt === null) closeTool(entry, message.id, { status: 'cancelled', now });
  }
}

function closeTool(entry: SessionEntry, id: string, how: { status: ToolStatus; now: number }): void {
  const message = entry.transcript.get(id)?.message;
  if (message?.kind !== 'tool') return;
  const { seq: _seq, createdAt: _createdAt, ...draft } = message;
  entry.transcript.put({ ...draft, status: how.status, endedAt: new Date(how.now).toISOString() });
}
