import { randomUUID } from 'node:crypto';
import type { SessionEntry } from './entries.ts';
import type { Runtime } from './runtime.ts';
import type { Draft } from './transcript.ts';
import type { NoticeCode } from './types.ts';

interface Notice {
  readonly code: NoticeCode;
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
}

/** Puts a notice at the end of the transcript; while a frame is being read, after what the frame says. */
export function notice(entry: SessionEntry, { code, level, text }: Notice): void {
  const draft: Draft = { id: `notice/${randomUUID()}`, kind: 'notice', code, level, text };
  if (entry.heldNotices === null) entry.transcript.put(draft);
  else entry.heldNotices.push(draft);
}

/** Runs the reading of one frame; notices that it causes come after its text. */
export function readFrame(entry: SessionEntry, read: () => void): void {
  entry.heldNotices = [];
  try {
    read();
  } finally {
    const held = entry.heldNotices;
    entry.heldNotices = null;
    for (const draft of held) entry.transcript.put(draft);
  }
}

export function agentDied(entry: SessionEntry, error: string): void {
  notice(entry, { code: 'agent_died', level: 'error', text: error });
}

export function startFailed(entry: SessionEntry, error: string): void {
  notice(entry, { code: 'start_failed', level: 'error', text: error });
}

/** The end of a turn that an earlier life of the server left open. */
export function turnInterrupted(entry: SessionEntry): void {
  notice(entry, { code: 'turn_ended', level: 'warning', text: 'The turn was interrupted: the server was restarted' });
}

export function outputLost(entry: SessionEntry, text: string): void {
  notice(entry, { code: 'output_lost', level: 'error', text });
}

/** Longest error of an agent that is shown. */
const LONGEST_ERROR = 2_000;

export function turnFailed(entry: SessionEntry, error: string): void {
  const text = `The agent answered with an error: ${error.slice(0, LONGEST_ERROR)}`;
  notice(entry, { code: 'turn_failed', level: 'error', text });
}

/** Ends of turns in words; what an agent makes up beyond them is shown as it came. */
const ENDINGS: Readonly<Record<string, string>> = {
  end_turn: 'Turn ended',
  max_tokens: 'Turn ended, out of tokens,',
  max_turn_requests: 'Turn ended, too many requests,',
  refusal: 'Turn refused by the agent',
  cancelled: 'Turn cancelled',
  interrupted: 'Turn interrupted',
};

/** Writes the end of the open turn, once. */
export function finishTurn(runtime: Runtime, entry: SessionEntry, stopReason: string | null): void {
  const { turn } = entry;
  if (turn === null) return;
  entry.turn = null;
  const seconds = Math.round((runtime.deps.now() - turn.startedAt) / 100) / 10;
  const reason = stopReason ?? 'end_turn';
  const text = `${ENDINGS[reason] ?? `Turn ended (${reason})`} after ${seconds} s`;
  notice(entry, { code: reason === 'cancelled' ? 'cancelled' : 'turn_ended', level: 'info', text });
}
