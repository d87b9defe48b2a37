import type { Fact } from './fact.ts';
import type { ExecutionId, Generation, Millis, SessionId, TaskId } from './ids.ts';
import type { Traits } from './traits.ts';

/** Durable coarse state of a session (S11). */
export type SessionState =
  | 'created'
  | 'starting'
  | 'running'
  | 'waiting_for_input'
  | 'idle'
  | 'completed'
  | 'failed'
  | 'cancelled';

/** Who asks: `human` is a person or what stands for one; `wakeup` is a program (S61). */
export type PromptOrigin = 'human' | 'wakeup';

/** Why an execution ended; decides the coarse state (S11). `crashed`: without being asked to. */
export type EndCause = 'stopped' | 'completed' | 'cancelled' | 'failed' | 'crashed';

/** What governs one session's reading, latched at start (S71, S72, S74, S76). */
export interface Rules {
  /** The toggle of S71 is on and the launch identity is covered by it. */
  readonly fine: boolean;
  /** The toggle of S74. */
  readonly reported: boolean;
  /** How long a follow-up is expected after the last detached work ended (S12), in ms. */
  readonly settleAfterMs: number;
}

/** Everything that can happen to a session. `at` is fed by the shell. Names are past tense. */
export type LivenessEvent = { readonly sessionId: SessionId; readonly at: Millis } & (
  | {
      readonly type: 'session.loaded';
      readonly taskId: TaskId;
      readonly rules: Rules;
      readonly state: SessionState;
      readonly stopReason: string | null;
      readonly error: string | null;
      /** A survivor of an earlier life is not yet ended (S9, S141). */
      readonly unknown: boolean;
      /** True for a session made now, false for one read from the database. */
      readonly created: boolean;
    }
  | { readonly type: 'session.accounted' }
  | { readonly type: 'session.removed' }
  /** Asks for the foreground; granted iff `admit` accepts. `executionId` names the execution to start where none is live. */
  | { readonly type: 'prompt.claimed'; readonly origin: PromptOrigin; readonly executionId: ExecutionId }
  /** The request was written to the agent. */
  | { readonly type: 'prompt.dispatched'; readonly generation: Generation }
  /** Given up before dispatch, or dispatch failed (S55). */
  | { readonly type: 'prompt.released'; readonly generation: Generation }
  | { readonly type: 'execution.opened'; readonly executionId: ExecutionId; readonly traits: Traits }
  /** All that one frame, or one answer, of an execution means (S14). */
  | { readonly type: 'frame.received'; readonly executionId: ExecutionId; readonly facts: readonly Fact[] }
  /** The process is gone; what it left is not yet accounted for (S9). */
  | { readonly type: 'execution.lost'; readonly executionId: ExecutionId }
  | {
      readonly type: 'execution.ended';
      readonly executionId: ExecutionId;
      readonly cause: EndCause;
      readonly error: string | null;
    }
  /** An operator cancels the turn; with a generation, only that one. */
  | { readonly type: 'cancel.requested'; readonly generation: Generation | null }
  /** The provider never answered the cancel: it settles locally (S131). */
  | { readonly type: 'cancel.expired'; readonly generation: Generation }
  /** We asked the agent to stop this item: its end is no reason to expect a follow-up (S12). */
  | { readonly type: 'stop.requested'; readonly executionId: ExecutionId; readonly workloadId: string }
  /** Time went by: deadlines of the record that are not after `at` are over (S12, S13). */
  | { readonly type: 'time.passed' }
);
