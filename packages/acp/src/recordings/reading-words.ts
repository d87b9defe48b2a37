import type { SessionView, WorkloadView } from '@vigil/liveness';
import type { Shown } from './session-player.ts';

/** One reading, whole, as a line of output has it. */
export interface ReadingLine {
  readonly t: number;
  readonly state: SessionView['state'];
  readonly tier: SessionView['foregroundActivity'];
  readonly count: number;
  readonly live: readonly { readonly kind: WorkloadView['kind']; readonly detached: boolean }[];
  readonly awaitingFollowUp: boolean;
  readonly mayWake: boolean;
  readonly liveness: SessionView['liveness'];
  /** Kinds of the requests that wait for a person. */
  readonly pending: readonly string[];
}

/** The readings in order; what shows the same as before is told once. */
export function readingLines(shown: readonly Shown[]): readonly ReadingLine[] {
  const lines: ReadingLine[] = [];
  let last = '';
  for (const { t, view, requests } of shown) {
    const line = {
      state: view.state,
      tier: view.foregroundActivity,
      count: view.activeSubagentCount,
      live: view.workloads.map(({ kind, detached }) => ({ kind, detached })),
      awaitingFollowUp: view.awaitingFollowUp,
      mayWake: view.mayWake,
      liveness: view.liveness,
      pending: requests.map((one) => (one.background ? `background ${one.kind}` : one.kind)),
    };
    const key = JSON.stringify(line);
    if (key !== last) lines.push({ t, ...line });
    last = key;
  }
  return lines;
}

const STATES_OF_THEIR_OWN = new Set(['starting', 'idle', 'completed', 'failed', 'cancelled']);

/**
 * A reading in short words, for expectations that a person writes: the tier (the state, where no agent serves), what is
 * live (blocking work in brackets), `+` while a follow-up is expected, `?` for each request that waits (`?child` for one
 * of background work), `wakes` while timers are armed, `unknown`.
 */
export function readingWord(line: ReadingLine): string {
  const tier = STATES_OF_THEIR_OWN.has(line.state) ? line.state : (line.tier ?? 'none');
  const of = (detached: boolean) => line.live.filter((one) => one.detached === detached).map((one) => one.kind);
  const blocking = counted(of(false)).map((word) => `(${word})`);
  const requests = line.pending.map((one) => (one.startsWith('background') ? '?child' : '?'));
  return [
    tier,
    ...counted(of(true)),
    ...blocking,
    ...(line.awaitingFollowUp ? ['+'] : []),
    ...requests.sort(),
    ...(line.mayWake ? ['wakes'] : []),
    ...(line.liveness === 'unknown' ? ['unknown'] : []),
  ].join(' ');
}

function counted(kinds: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const kind of [...kinds].sort()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => (count === 1 ? kind : `${kind}*${count}`));
}
