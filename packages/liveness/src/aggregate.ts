import type { SessionId } from './ids.ts';
import type { SessionView, TaskActivity } from './view.ts';

/**
 * How many sessions of a task read how. Kept by difference, so that a change in one session costs the same however many
 * the task has. It is fed by views of sessions only, never by an aggregate (S94).
 */
export class Tally {
  #generating = 0;
  #generatingLive = 0;
  #background = 0;
  #unknown = 0;
  #subagents = 0;
  /** Sessions of the task that are not loaded yet: while there is one, the aggregate is unknown (S91). */
  readonly #missing: Set<SessionId>;

  constructor(expected: Iterable<SessionId> = []) {
    this.#missing = new Set(expected);
  }

  /** Replaces one session's part. `null` before: it was not loaded; `null` after: it is gone. */
  replace(before: SessionView | null, after: SessionView | null): void {
    if (before !== null) this.#count(before, -1);
    if (after !== null) {
      this.#count(after, 1);
      this.#missing.delete(after.sessionId);
    }
  }

  /** The aggregate over exposed values (S90), or null while a session is missing (S91). */
  get activity(): TaskActivity | null {
    if (this.#missing.size > 0) return null;
    const tier = this.#generating > 0 ? 'generating' : this.#background > 0 ? 'background' : null;
    return {
      foregroundActivity: tier,
      activeSubagentCount: this.#subagents,
      liveness: this.#unknown > 0 && this.#generatingLive === 0 ? 'unknown' : 'live',
    };
  }

  #count(view: SessionView, by: 1 | -1): void {
    if (view.foregroundActivity === 'generating') {
      this.#generating += by;
      if (view.liveness === 'live') this.#generatingLive += by;
    }
    if (view.foregroundActivity === 'background') this.#background += by;
    if (view.liveness === 'unknown') this.#unknown += by;
    this.#subagents += by * view.activeSubagentCount;
  }
}

/** Equal readings of a task (S93). */
export function sameActivity(a: TaskActivity | null, b: TaskActivity | null): boolean {
  if (a === null || b === null) return a === b;
  return (
    a.foregroundActivity === b.foregroundActivity &&
    a.activeSubagentCount === b.activeSubagentCount &&
    a.liveness === b.liveness
  );
}
