import type { SessionRecord } from '../src/record.ts';
import type { Numbers } from './state-set.ts';

/** Nothing is at work, nothing is awaited, nothing is pending. */
export function atRest({ state, view, foreground, inFlight, cancelling, executions }: SessionRecord): boolean {
  const working = state === 'running' || state === 'starting' || foreground.kind !== 'free' || view.awaitingFollowUp;
  const detached = [...executions.values()].some((one) => one.registrations.some((each) => each.detached));
  return !working && !detached && inFlight === null && cancelling === null;
}

/** For each state whether it is at rest, and the steps by which an agent or the shell ends something. */
interface Endings {
  readonly rest: Numbers;
  readonly from: Numbers;
  readonly to: Numbers;
}

/** For each state the states that lead to it: those of `state` are `sources` from `starts[state]` to `starts[state + 1]`. */
function reversed({ rest, from, to }: Endings): { starts: Int32Array; sources: Int32Array } {
  const starts = new Int32Array(rest.length + 1);
  for (let edge = 0; edge < to.length; edge += 1) starts[to.at(edge)] = (starts[to.at(edge)] ?? 0) + 1;
  for (let sum = 0, state = 0; state <= rest.length; state += 1) {
    sum += starts[state] ?? 0;
    starts[state] = sum;
  }
  const sources = new Int32Array(to.length);
  for (let edge = 0; edge < to.length; edge += 1) {
    const seat = (starts[to.at(edge)] ?? 0) - 1;
    starts[to.at(edge)] = seat;
    sources[seat] = from.at(edge);
  }
  return { starts, sources };
}

/** The first state from which no sequence of endings leads to rest; null when there is none. */
export function restless(endings: Endings): number | null {
  const { starts, sources } = reversed(endings);
  const { rest } = endings;
  const ends = new Uint8Array(rest.length);
  const open: number[] = [];
  const reach = (state: number) => {
    if (ends[state] === 1) return;
    ends[state] = 1;
    open.push(state);
  };
  for (let state = 0; state < rest.length; state += 1) if (rest.at(state) === 1) reach(state);
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    for (let at = starts[state] ?? 0; at < (starts[state + 1] ?? 0); at += 1) reach(sources[at] ?? 0);
  }
  const stuck = ends.indexOf(0);
  return stuck < 0 ? null : stuck;
}
