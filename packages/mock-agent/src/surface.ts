import type { HistoryEntry } from './history.ts';
import type { Fields } from './json.ts';
import type { Call, CallOutcome, Conversation, StopReason, Turn } from './turn.ts';
import type { Work, WorkKind } from './work.ts';

/** A piece of the agent's text. */
export interface Speech {
  readonly kind: 'message' | 'thought';
  readonly text: string;
  readonly messageId: string;
}

/** Sends frames to the client. */
export interface Outlet {
  notify(method: string, params: Fields): void;
}

/** One dialect: how the facts of a session are put on the wire. */
export interface Surface {
  readonly version: 1 | 2;
  /** Subagents are sessions of their own, which the client can cancel. */
  readonly childSessions: boolean;
  /** `/idle` gives the foreground away: wakes and the next prompt run before this prompt's answer. */
  readonly handsOff: boolean;
  /** The result of `initialize`. */
  initialize(): Fields;
  /** The result of `session/new`, `session/load` and `session/resume`. */
  sessionResult(session: Conversation): Fields;
  /** A session was opened; `resumed` comes before the response. */
  opened(session: Conversation, how: 'new' | 'resumed'): void;
  /** Plays the transcript back, before the response of a load. */
  replay(session: Conversation, history: readonly HistoryEntry[]): void;
  /** A prompt arrived; it may have to wait for its turn. */
  queued(turn: Turn): void;
  began(turn: Turn): void;
  /** The foreground-idle boundary, with the prompt's answer still open where the protocol has one. */
  idled(turn: Turn): void;
  ended(turn: Turn, stopReason: StopReason): void;
  said(turn: Turn, speech: Speech): void;
  planned(turn: Turn, entries: readonly string[]): void;
  callOpened(turn: Turn, call: Call): void;
  callClosed(turn: Turn, call: Call, outcome: CallOutcome): void;
  /** The agent waits for its user, or goes on. */
  awaitedUser(turn: Turn, waits: boolean): void;
  permission(turn: Turn, call: Call): Fields;
  launched(turn: Turn, work: Work): void;
  /** Foreground work ended with its call. */
  returned(turn: Turn, work: Work): void;
  /** Detached work ended; said twice when its terminal is duplicated. */
  finished(session: Conversation, work: Work): void;
  /** What `session/cancel` kills besides the turn. */
  dies(kind: WorkKind): boolean;
}

/** The options of every permission request, one of each kind. */
export const PERMISSION_OPTIONS: readonly Fields[] = [
  { optionId: 'allow-once', name: 'Yes', kind: 'allow_once' },
  { optionId: 'allow-always', name: 'Yes, always', kind: 'allow_always' },
  { optionId: 'reject-once', name: 'No', kind: 'reject_once' },
  { optionId: 'reject-always', name: 'No, never', kind: 'reject_always' },
];
