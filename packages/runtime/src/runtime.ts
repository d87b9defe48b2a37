import type { ExecutionRow } from '@vigil/db';
import type { Board } from './board.ts';
import type { Clock } from './clock.ts';
import type { VigilDeps } from './deps.ts';
import type { SessionEntry } from './entries.ts';
import type { Execution } from './execution.ts';
import type { Features } from './features.ts';
import type { Feed } from './feed.ts';
import type { Lane } from './lane.ts';
import type { Records } from './records.ts';
import type { Settings } from './types.ts';

/** What the use cases share. */
export interface Runtime {
  readonly deps: VigilDeps;
  /** This boot (S141). */
  readonly epoch: string;
  readonly board: Board;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly records: Records;
  readonly features: Features;
  /** What the team set, as stored. */
  settings: Settings;
  /** The execution that each session was started with last, until its process is gone. */
  readonly serving: Map<string, Execution>;
  /** Drains a session's queue after the present step (S81). */
  readonly drainSoon: (entry: SessionEntry) => void;
  /** Executions whose process is not known to be gone. */
  readonly executions: Map<string, Execution>;
  /** Executions of an earlier life of which something still lives (S141). */
  readonly leftovers: Map<string, ExecutionRow>;
  /** Changes of tasks, one at a time, so that checks of the whole graph hold. */
  readonly taskLane: Lane;
  /** Nothing is started any more. */
  closing: boolean;
  /** The time of `performance.now()` by which agents that are being ended must be gone. */
  endBy: number;
}
