import type { AgentConnection, AgentLaunch, OpenOptions } from '@vigil/acp';
import type { Database, ExecutionRow } from '@vigil/db';
import type { AgentInfo } from './types.ts';

/** How to start an agent, or why it cannot be started. */
export type LaunchAnswer = { readonly launch: AgentLaunch } | { readonly launch: null; readonly reason: string };

/** The agents that are configured. */
export interface AgentRegistry {
  list(): AgentInfo[] | Promise<AgentInfo[]>;
  launch(agentId: string): LaunchAnswer;
}

export interface RuntimeConfig {
  /** How long a follow-up is expected after the last detached work ended (S12), in ms. */
  readonly settleAfterMs: number;
  /** A launch that produced no frame within this time fails (S130), in ms. */
  readonly startTimeoutMs: number;
  /** Quiet time of a foreground after which a notice is raised (S130), in ms. */
  readonly stallAfterMs: number;
  /** How long a provider may leave a cancel unanswered before it settles locally (S131), in ms; 10 s if not given. */
  readonly cancelAfterMs?: number;
  /** What the environment says; null where it says nothing (S76). */
  readonly features: { readonly handoff: boolean | null; readonly reported: boolean | null };
  /** Offers the mock agents and lets them attest (S34). */
  readonly mockProvider: boolean;
  /** Working folder of sessions that name none; absolute. */
  readonly defaultCwd: string;
}

export interface Log {
  debug(data: object, message: string): void;
  info(data: object, message: string): void;
  warn(data: object, message: string): void;
  error(data: object, message: string): void;
}

/** Everything that the runtime takes from outside. */
export interface VigilDeps {
  readonly database: Database;
  readonly agents: AgentRegistry;
  readonly openAgent: (options: OpenOptions) => Promise<AgentConnection>;
  /** Ends what an earlier life of the server left of these executions; answers ids of what is left. By default by /proc. */
  readonly endLeftovers?: (rows: readonly ExecutionRow[], log: Log) => Promise<ReadonlySet<string>>;
  readonly config: RuntimeConfig;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly version: string;
}
