import type { AgentConnection, AgentExit } from '@vigil/acp';
import type { EndCause } from '@vigil/liveness';
import type { SessionEntry } from './entries.ts';

/** Why and when an execution ended, as first recorded (S113). */
export interface EndFacts {
  readonly cause: EndCause;
  readonly endedAt: string;
  readonly error: string | null;
}

/** One agent process that serves a session: a scope that is left once, by whichever way comes first. */
export class Execution {
  readonly id: string;
  readonly entry: SessionEntry;
  /** Null until the agent is opened. */
  connection: AgentConnection | null = null;
  facts: EndFacts | null = null;
  /** The generation whose request was written last, and the one that the provider accepted last. */
  dispatched: number | null = null;
  accepted: number | null = null;
  /** The prompt that the provider refused last, and how often it had told before that it is idle (S83). */
  rejected: { readonly generation: number; readonly idleTold: number } | null = null;
  lastFrameAt: number;
  /** Aborted when the execution is left, so that an opening under way is given up. */
  readonly leaving = new AbortController();
  /** Tool messages whose call has not told its end, with the turn that it was first seen in; null outside of any. */
  readonly openTools = new Map<string, number | null>();
  /** Stops waiting for the receipt of a request that was written: its cancel was never answered (S131). */
  abandonReceipt: (() => void) | null = null;
  /** How the process ended, once it did. */
  exit: AgentExit | null = null;
  /** Rejects with the reason when the agent could not be opened. */
  opened: Promise<AgentConnection> = Promise.reject(new Error('not started'));
  #closing: Promise<void> | null = null;

  constructor(id: string, entry: SessionEntry, now: number) {
    this.id = id;
    this.entry = entry;
    this.lastFrameAt = now;
    this.opened.catch(() => undefined);
  }

  /** Resolves when the process and its descendants are gone; a failed attempt may be repeated. */
  close(): Promise<void> {
    this.#closing ??= this.#close().catch((error: unknown) => {
      this.#closing = null;
      throw error;
    });
    return this.#closing;
  }

  async #close(): Promise<void> {
    const connection = this.connection ?? (await this.opened.catch(() => null));
    await connection?.close();
  }
}
