import type { Fact, Generation, Traits } from '@vigil/liveness';

/** How an agent is started, and which adapter reads it. */
export interface AgentLaunch {
  readonly agentId: string;
  /** Names the adapter; the session's launch identity (S72). */
  readonly provider: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** How to get the conversation: resume or load what the agent knows, else begin a new one. */
export interface OpenOptions {
  readonly launch: AgentLaunch;
  /** Working folder of the session itself (absolute). */
  readonly cwd: string;
  /** The agent's own id of the conversation, from an earlier execution. */
  readonly agentSessionId: string | null;
  /** A launch that produced no frame within this time fails (S130), in ms. */
  readonly startTimeoutMs: number;
  /** Turns the mock's attestation on (S34). */
  readonly mockProvider: boolean;
  readonly sink: AgentSink;
  /** Gives up the opening: the process is ended and the promise rejects. Without effect once it is open. */
  readonly signal?: AbortSignal;
  /** The time of `performance.now()` by which processes that are being ended must be gone; asked again and again. */
  readonly endBy?: () => number;
}

/** Receives everything synchronously and in wire order; must not throw. */
export interface AgentSink {
  /** One frame, or one answer, read: its facts are one step (S14). Called before the agent's next frame is looked at. */
  frame(reading: Reading): void;
  /**
   * The agent was seen to speak a surface that could not be known at opening (Claude's raw level, child sessions over
   * v1). Called before the `frame` that showed it; apply the opening's traits anew.
   */
  traits?(traits: Traits): void;
  /** EOF or exit, whichever came first; called once, and only for a connection that was opened. After it no `frame` follows. */
  gone(exit: AgentExit): void;
  log(entry: { readonly level: 'debug' | 'info' | 'warn'; readonly message: string; readonly data?: unknown }): void;
}

/** What one frame means for liveness, for the transcript and for pending requests. */
export interface Reading {
  readonly facts: readonly Fact[];
  readonly transcript: readonly TranscriptEvent[];
  readonly requests: readonly RequestEvent[];
  /** The agent's title of the session, when it said one. */
  readonly title?: string;
}

export interface AgentExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** Last lines of stderr, bounded and redacted. */
  readonly stderr: string;
  /** Why, when we know more than the exit (a frame too large, a protocol failure). */
  readonly reason: string | null;
}

export type ToolStatus = 'pending' | 'in_progress' | 'completed' | 'failed' | 'cancelled';

export type ToolContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'diff'; readonly path: string; readonly oldText: string | null; readonly newText: string }
  | {
      readonly type: 'terminal';
      readonly terminalId: string;
      readonly output: string;
      readonly exitCode: number | null;
    };

/** A change of the transcript. Entries with an `id` are upserted; `append` adds text to the entry of that id. */
export type TranscriptEvent =
  | {
      readonly type: 'message';
      readonly id: string;
      readonly role: 'user' | 'assistant' | 'thought';
      readonly text: string;
      readonly mode: 'append' | 'replace';
      readonly parentToolCallId?: string;
    }
  | {
      readonly type: 'tool';
      readonly id: string;
      readonly title?: string;
      readonly toolKind?: string;
      readonly status?: ToolStatus;
      readonly input?: unknown;
      readonly content?: readonly ToolContent[];
      readonly parentToolCallId?: string;
    }
  | {
      readonly type: 'plan';
      readonly entries: readonly { readonly content: string; readonly status: string; readonly priority: string }[];
    }
  | { readonly type: 'usage'; readonly used: number | null; readonly size: number | null; readonly cost: number | null }
  /** The agent answered a prompt that it had taken with an error. */
  | { readonly type: 'failure'; readonly message: string }
  /** Something that the agent wrote could not be read, and is lost. */
  | { readonly type: 'lost'; readonly message: string }
  /** The session's mode or model, by the agent's own name of it. */
  | { readonly type: 'setting'; readonly name: 'mode' | 'model'; readonly value: string }
  /** A cycle that nobody prompted begins or ended; `woke` names the work that woke it where known. */
  | { readonly type: 'wake'; readonly phase: 'began' | 'ended'; readonly woke?: string };

/** A permission or a clarification that the agent asks for (S132). */
export interface AgentRequest {
  /** Unique within the execution. */
  readonly id: string;
  readonly kind: 'permission' | 'clarification';
  readonly title: string;
  readonly detail: string | null;
  /** The item that asks, when it is not the foreground: a child session's or a subagent's name. */
  readonly askedBy: string | null;
  /** True when a detached child asks: a foreground cancel does not answer it (S132). */
  readonly background: boolean;
  readonly options: readonly { readonly id: string; readonly kind: string; readonly label: string }[];
  /** JSON schema of the form, for clarifications. */
  readonly schema: unknown;
}

export type RequestEvent =
  | { readonly type: 'opened'; readonly request: AgentRequest }
  /** The agent withdrew it, or its turn is over. */
  | { readonly type: 'closed'; readonly id: string };

export type RequestOutcome =
  | { readonly optionId: string }
  | { readonly answers: Readonly<Record<string, unknown>> }
  | { readonly cancelled: true };

/** One live agent process, opened for one session. */
export interface AgentConnection {
  readonly traits: Traits;
  readonly agentSessionId: string;
  readonly protocolVersion: 1 | 2;
  /** How the conversation was had: the agent's history continues unless `new`. */
  readonly history: 'new' | 'resumed' | 'loaded';
  readonly pid: number;
  /** Start time of the process as the system tells it, so that a reused pid is never taken for it. */
  readonly processStartTime: string;
  /**
   * Writes one prompt. Resolves when the provider accepted or refused it; its facts went through the sink before.
   * `busy`: the provider said so before accepting (S83).
   */
  prompt(generation: Generation, text: string): Promise<PromptReceipt>;
  /** Asks the agent to cancel its foreground turn. Returns at once. */
  cancel(): void;
  /** Answers a pending request; false when it is not open. */
  respond(requestId: string, outcome: RequestOutcome): boolean;
  /** Stops one item of work by its registration id, where the provider can. */
  stop(workloadId: string): Promise<{ readonly stopped: boolean; readonly reason: string | null }>;
  /** Ends the process and its descendants: close, then TERM, then KILL, with deadlines. Idempotent; resolves when all are gone, rejects when some could not be ended (it may be called again). */
  close(): Promise<void>;
}

export type PromptReceipt =
  | { readonly accepted: true }
  | { readonly accepted: false; readonly busy: boolean; readonly message: string };
