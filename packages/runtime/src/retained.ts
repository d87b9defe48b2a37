import type { Runtime } from './runtime.ts';

/** What is kept in memory; all zero once nothing is there to be served (S111, P7). */
export interface Retained {
  /** Records of the core and entries of the board. */
  readonly known: number;
  /** Executions whose process is not known to be gone. */
  readonly executions: number;
  /** Times that a record waits for. */
  readonly deadlines: number;
  readonly subscribers: number;
  /** Writes on their way to the database. */
  readonly writes: number;
}

export function retained(runtime: Runtime): Retained {
  const { board, executions, serving, leftovers, clock, feed, records } = runtime;
  return {
    known: board.tracker.size + board.sessions.size + board.tasks.size,
    executions: Math.max(executions.size, serving.size) + leftovers.size,
    deadlines: clock.size,
    subscribers: feed.subscribers + feed.watchedTasks,
    writes: records.waiting,
  };
}
