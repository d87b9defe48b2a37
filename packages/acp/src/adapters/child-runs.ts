import { BoundedMap } from './adapter.ts';

interface Child {
  run: number;
  atWork: boolean;
}

/** Counts the runs of child sessions: one that works again after its own idle is a new run (S33). */
export class ChildRuns {
  readonly #children = new BoundedMap<Child>(5_000);
  readonly #titles = new BoundedMap<string>(5_000);
  readonly #working = new Set<string>();

  /** The name of the run that a frame of this moment means. */
  nameOf(sessionId: string): string {
    return runName(sessionId, this.#children.get(sessionId)?.run ?? 1);
  }

  /** What people call the child: its title, where it told one. */
  calledOf(sessionId: string): string {
    return this.#titles.get(sessionId) ?? this.nameOf(sessionId);
  }

  entitle(sessionId: string, title: string | undefined): void {
    if (title !== undefined && title !== '') this.#titles.set(sessionId, title);
  }

  runOf(sessionId: string): number {
    return this.#children.get(sessionId)?.run ?? 1;
  }

  /** The child sessions that are at work, of those that are known. */
  working(): readonly string[] {
    return [...this.#working];
  }

  /** What a state that the child reports means for its run; null when nothing new. */
  observe(sessionId: string, state: string): 'began' | 'ended' | null {
    if (state === 'idle') this.#working.delete(sessionId);
    else this.#working.add(sessionId);
    const child = this.#children.get(sessionId);
    const atWork = state !== 'idle';
    if (!child) {
      this.#children.set(sessionId, { run: 1, atWork });
      return atWork ? 'began' : null;
    }
    if (child.atWork === atWork) return null;
    child.atWork = atWork;
    if (!atWork) return 'ended';
    child.run += 1;
    return 'began';
  }
}

/** Names the n-th run of a child session. */
export function runName(sessionId: string, run: number): string {
  return `session:${sessionId}#${run}`;
}
