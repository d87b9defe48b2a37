import type { Execution } from './execution.ts';
import type { Runtime } from './runtime.ts';
import { closeOpenTools } from './transcribe.ts';
import { transcriptId } from './transcript-id.ts';

/**
 * At the end of a turn: closes the cards of the calls that ended with it, and of what was nested in them. What belongs to
 * detached work, to another turn, or was live at a handoff stays open until its own end; a cancel closes all (S65).
 */
export function closeTurnCards(runtime: Runtime, execution: Execution, stopReason: string | null): void {
  if (execution.openTools.size === 0) return;
  const now = runtime.deps.now();
  if (stopReason === 'cancelled') {
    closeOpenTools(execution, 'cancelled', { now });
    return;
  }
  const isLive = liveCards(runtime, execution);
  // A turn that its agent ended well leaves no doubt that its calls are over, though nobody said how.
  const status = stopReason === null || stopReason === 'end_turn' ? 'completed' : 'failed';
  closeOpenTools(execution, status, { now, which: (id) => !isLive(rootOf(execution, id)) });
}

/** The outermost call around this one. */
function rootOf(execution: Execution, id: string): string {
  const seen = new Set([id]);
  let root = id;
  for (;;) {
    const message = execution.entry.transcript.get(root)?.message;
    const parent = message?.kind === 'tool' ? message.parentToolCallId : null;
    // What an agent says of parents may go round.
    if (parent === null || seen.has(parent)) return root;
    seen.add(parent);
    root = parent;
  }
}

/** Whether the card is that of a call that has an owner, or of work that is live. */
function liveCards(runtime: Runtime, execution: Execution): (id: string) => boolean {
  const { calls, names } = runtime.board.tracker.openWork(execution.entry.id, execution.id);
  const open = new Set<string>();
  for (const call of calls) open.add(transcriptId(execution.id, call));
  // Work is named after its call, or after its child session with the number of the run.
  for (const name of names) {
    const [, of = ''] = /^(?:tool|session):(.+?)(?:#\d+)?$/.exec(name) ?? [];
    open.add(transcriptId(execution.id, of));
  }
  return (id) => open.has(id);
}
