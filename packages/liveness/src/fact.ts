import type { Attestation } from './attestation.ts';
import type { Generation } from './ids.ts';

/** `state`: the protocol's own level (ACP v2, Hermes, Codex `threadStatus`); `raw`: Claude's raw level. */
export type Level = 'state' | 'raw';

/**
 * What one frame says. A frame's facts are applied together as one step (S14), in this order of the list. A `generation`
 * is given where the frame carries the provider's id of a prompt (S57); without one it belongs to the cycle at work.
 */
export type Fact =
  /** Non-empty message or thought text of the top level (S4). `ended`: it carries the message id of an ended turn. */
  | { readonly kind: 'output'; readonly ended?: boolean }
  /**
   * A frame of a tool call. `opens`: it is the first frame of its id. `child`: it names a parent. `background`: the
   * adapter knows it for background work. `content`: it carries output. `closed`: its status is terminal.
   */
  | {
      readonly kind: 'tool';
      readonly toolCallId: string;
      readonly opens: boolean;
      readonly child: boolean;
      readonly background?: boolean;
      readonly content?: boolean;
      readonly closed: boolean;
    }
  /** The provider took this prompt up (v2 `user_message`, raw `started`). */
  | { readonly kind: 'prompt.begun'; readonly generation: Generation }
  /** The provider accepted this prompt: a later failure never sends it again (S56). */
  | { readonly kind: 'prompt.accepted'; readonly generation: Generation }
  /** The provider refused this prompt before accepting it, or it could not be sent. */
  | { readonly kind: 'prompt.rejected'; readonly generation: Generation }
  /** The provider's own end of this prompt (raw `command_lifecycle`): completes it, frees nothing by itself (S13). */
  | { readonly kind: 'prompt.completed'; readonly generation: Generation; readonly stopReason?: string }
  /** The prompt's RPC was answered, with a result or an error, after it had been accepted (ACP v1: the turn's end). */
  | { readonly kind: 'rpc.settled'; readonly generation: Generation; readonly stopReason: string }
  /**
   * A report of the foreground's level. `unknown`: the agent says so, or says a word that we do not know (S9).
   * `stopReason` is present where the protocol gives one; an `idle` that follows `idle` ends nothing.
   */
  | {
      readonly kind: 'foreground';
      readonly level: Level;
      readonly state: 'running' | 'requires_action' | 'idle' | 'unknown';
      readonly runId?: string;
      readonly stopReason?: string;
      /** The frame names an origin that is not the claimed prompt (a wake). */
      readonly agentInitiated?: boolean;
    }
  /** A cycle that nobody prompted has closed (Claude's closing usage with an origin that is not human). */
  | { readonly kind: 'cycle.closed' }
  /** The provider attested idle for the human cycle at work while its RPC may stay open: the handoff boundary (S5). */
  | { readonly kind: 'yielded'; readonly generation: Generation }
  /** Typed evidence about workloads. */
  | { readonly kind: 'attested'; readonly attestation: Attestation }
  /** Timers are armed, or no longer: the session may wake; never work (S32). */
  | { readonly kind: 'armed'; readonly mayWake: boolean };
