import { Tally } from '../src/aggregate.ts';
import type { SessionView, TaskActivity } from '../src/view.ts';
import type { Reading } from './search.ts';

/** A session of the task: not loaded yet, gone, or as it reads. */
type Seat = 'missing' | 'gone' | Reading;

const QUIET: Reading = { foregroundActivity: null, activeSubagentCount: 0, liveness: 'live' };

const text = (value: unknown): string => JSON.stringify(value);
const isRead = (seat: Seat): seat is Reading => typeof seat !== 'string';

function viewOf(seat: Seat, sessionId: string): SessionView | null {
  // The aggregate may look at nothing else: what it reads beyond these is undefined and shows as a wrong sum.
  return isRead(seat) ? ({ ...seat, sessionId, taskId: 't' } as SessionView) : null;
}

/** S9, S90, S91, by their words. */
function expected(seats: readonly Seat[]): TaskActivity | null {
  if (seats.includes('missing')) return null;
  const read = seats.filter(isRead);
  const has = (tier: Reading['foregroundActivity']) => read.some((one) => one.foregroundActivity === tier);
  const surely = read.some((one) => one.foregroundActivity === 'generating' && one.liveness === 'live');
  const unknown = read.some((one) => one.liveness === 'unknown') && !surely;
  return {
    foregroundActivity: has('generating') ? 'generating' : has('background') ? 'background' : null,
    activeSubagentCount: read.reduce((sum, one) => sum + one.activeSubagentCount, 0),
    liveness: unknown ? 'unknown' : 'live',
  };
}

/** The steps of one seat: loading, all that a session was seen to do and removal. */
function seatSteps(seen: ReadonlySet<string>): readonly (readonly [Seat, Seat])[] {
  const moves = [...seen].map((each) => JSON.parse(each) as readonly [Reading, Reading]);
  const readings = new Map(moves.flat().map((each) => [text(each), each]));
  const loads = [...readings.values()].flatMap((each): (readonly [Seat, Seat])[] => [
    ['missing', each],
    [each, 'gone'],
  ]);
  return [...moves, ...loads];
}

/** Feeds a tally what the tracker feeds it. */
function put(tally: Tally, sessionId: string, [before, after]: readonly [Seat, Seat]): void {
  tally.replace(viewOf(before, sessionId), viewOf(after, sessionId));
}

/** Leads a session from the beginning to where it sits; what is gone was loaded once. */
function seat(tally: Tally, sessionId: string, where: Seat): void {
  const loaded: Seat = where === 'gone' ? QUIET : where;
  if (loaded !== 'missing') put(tally, sessionId, ['missing', loaded]);
  if (where === 'gone') put(tally, sessionId, [loaded, 'gone']);
}

/**
 * The task of two sessions over the product of what each may read. The sessions do not meet in `decide`, which is given
 * one record; here is the only place where they do. A tally is a sum, so how a pair was reached must not matter: each
 * step is taken from a tally that was led to the pair, and is taken back by its opposite.
 */
export function aggregateProblem(seen: ReadonlySet<string>): { pairs: number; problem: string | null } {
  const steps = seatSteps(seen);
  const others: readonly Seat[] = [
    'missing',
    'gone',
    ...new Map(
      steps
        .flat()
        .filter(isRead)
        .map((each) => [text(each), each]),
    ).values(),
  ];
  let pairs = 0;
  for (const step of steps) {
    for (const other of others) {
      pairs += 1;
      const problem = pairProblem(step, other);
      if (problem !== null) return { pairs, problem };
    }
  }
  return { pairs, problem: null };
}

function pairProblem([before, after]: readonly [Seat, Seat], other: Seat): string | null {
  const tally = new Tally(['s1', 's2']);
  const problem = (seats: readonly Seat[]): string | null => {
    const due = expected(seats);
    return text(tally.activity) === text(due)
      ? null
      : `S90: task of ${text(seats)} reads ${text(tally.activity)}, is ${text(due)}`;
  };
  seat(tally, 's2', other);
  seat(tally, 's1', before);
  const first = problem([before, other]);
  put(tally, 's1', [before, after]);
  const second = problem([after, other]);
  if (isRead(before) && isRead(after)) put(tally, 's1', [after, before]);
  return first ?? second ?? (isRead(before) && isRead(after) ? problem([before, other]) : null);
}
