import { identity } from './identity.ts';
import type { Fields } from './json.ts';
import type { Reply } from './wire.ts';
import type { Work } from './work.ts';

/** What a turn and its dialect see of their session. */
export interface Conversation {
  readonly id: string;
  readonly cwd: string;
  /** The client asked for raw frames. */
  readonly raw: boolean;
  /** The turn that has the foreground. */
  readonly active: Turn | undefined;
  /** Turns that have begun and not ended; more than one only after `/idle`. */
  readonly open: ReadonlySet<Turn>;
  /** All work that is listed: running, or ended with its wake still to come. */
  readonly works: ReadonlyMap<string, Work>;
  /** Detached work that is running, as far as the agent can tell. */
  readonly live: readonly Work[];
  /** Dollars spent so far. */
  cost: number;
}

/** Why a turn runs. A `wake` reports the end of a piece of work, an `event` one line of a monitor. */
export type Origin =
  | { readonly kind: 'human'; readonly text: string; readonly reply: Reply }
  | { readonly kind: 'wake'; readonly work: Work }
  | { readonly kind: 'event'; readonly work: Work; readonly count: number };

/** Why a turn ended. */
export type StopReason = 'end_turn' | 'cancelled';

/** A tool call of a turn. */
export interface Call {
  readonly id: string;
  readonly title: string;
  /** The provider's name of the tool. */
  readonly tool: string;
  readonly kind: 'execute' | 'think' | 'other';
  readonly input: Fields;
}

/** How a tool call ended. */
export interface CallOutcome {
  readonly status: 'completed' | 'failed';
  readonly output: string;
  /** The client refused it, so it was not executed. */
  readonly refused?: boolean;
}

/** One cycle of the agent: a human prompt, a wake or a monitor's event. */
export interface Turn {
  readonly session: Conversation;
  readonly origin: Origin;
  /** The prompt's message id; raw frames call it the command's uuid. */
  readonly messageId: string;
  /** The admission's id, as Hermes names it. */
  readonly runId: string;
  readonly cancel: AbortController;
  /** Calls that are open, so that a cancel can close them. */
  readonly calls: Map<string, Call>;
  /** Foreground work, which dies with its turn. */
  readonly foreground: Set<Work>;
  /** `/idle` gave the foreground away while the prompt's answer is still open. */
  yielded: boolean;
  /** Output came after `/idle`. */
  spoke: boolean;
  /** `/hang`: never answers, and ignores its cancel. */
  hung: boolean;
}

/** Makes a turn that has not begun. */
export function makeTurn(session: Conversation, origin: Origin): Turn {
  return {
    session,
    origin,
    messageId: identity.uuid(),
    runId: identity.run(),
    cancel: new AbortController(),
    calls: new Map(),
    foreground: new Set(),
    yielded: false,
    spoke: false,
    hung: false,
  };
}
