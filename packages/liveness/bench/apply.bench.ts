import type { LivenessEvent } from '../src/event.ts';
import { cost, ns, print, Stopwatch, times } from './measure.ts';
import { type Apply, quiet, Story } from './story.ts';

const EVENTS = 100_000;
const SIZES = [100, 10_000, 100_000];
const nameOf = (turn: number, sessions: number): string => `s${(turn * 7919) % sessions}`;

/** Frames of tools and text, one after another. */
function work(story: Story, sessionId: string): void {
  for (let step = 0; step < 28; step += 1) {
    const [opens, closed] = [step % 2 === 0, step % 2 === 1];
    story.frame(
      sessionId,
      step % 4 === 3
        ? { kind: 'output', ended: true }
        : { kind: 'tool', toolCallId: `c${step >> 1}`, opens, child: true, closed },
    );
  }
}

/** 70 % tool and text frames, 20 % registrations and ends, 10 % prompts, spread over all sessions. */
function mixed(story: Story, sessions: number, events: number): void {
  let done = 0;
  for (let turn = 0; done < events; turn += 1) {
    const sessionId = nameOf(turn, sessions);
    done += story.prompt(sessionId);
    work(story, sessionId);
    for (const run of [0, 1, 2, 3]) {
      const names = [`run:${turn}/${run}`] as const;
      story.starts(sessionId, names);
      story.ends(sessionId, names);
    }
    done += 36;
    if (turn % 40 !== 39) continue;
    story.stop(sessionId);
    done += 1;
  }
}

/** A story of sessions that have all had a prompt and are live. */
function begun(sessions: number, around?: (apply: Apply) => Apply): Story {
  const tracker = quiet();
  tracker.loadTask('t', []);
  const apply: Apply = (event: LivenessEvent) => tracker.apply(event);
  const silent = new Story(tracker);
  for (let index = 0; index < sessions; index += 1) {
    silent.load(`s${index}`);
    silent.prompt(`s${index}`);
  }
  return around === undefined ? silent : new Story(tracker, around(apply));
}

interface Measured {
  readonly mean: number;
  readonly median: number;
}

function floor(): Measured {
  const update = (map: Map<string, { at: number }>, at: number) => map.set(nameOf(at, 10_000), { at });
  const watch = new Stopwatch(EVENTS);
  const timed = new Map<string, { at: number }>();
  for (let at = 0; at < 2 * EVENTS; at += 1) watch.time(() => update(timed, at));
  const mean = cost(EVENTS, () => {
    const map = new Map<string, { at: number }>();
    for (let at = 0; at < EVENTS; at += 1) update(map, at);
  });
  return { mean, median: watch.median };
}

function applied(sessions: number): Measured {
  const watch = new Stopwatch(EVENTS);
  const timed = begun(sessions, (apply) => (event) => watch.time(() => apply(event)));
  mixed(timed, sessions, EVENTS);
  const story = begun(sessions);
  return { mean: cost(EVENTS, () => mixed(story, sessions, EVENTS)), median: watch.median };
}

function benchApply(): string[][] {
  mixed(begun(100), 100, EVENTS); // what is measured afterwards is compiled
  const least = floor();
  const costs = SIZES.map((sessions) => ({ sessions, ...applied(sessions) }));
  const [first = least] = costs;
  return [
    ['an update of an empty Map', ns(least.median), '', '1.0', ns(least.mean), '', '1.0'],
    ...costs.map(({ sessions, median, mean }) => [
      `apply, ${sessions} sessions`,
      ns(median),
      times(median, first.median, '100 sessions'),
      (median / least.median).toFixed(1),
      ns(mean),
      times(mean, first.mean, '100 sessions'),
      (mean / least.mean).toFixed(1),
    ]),
  ];
}

/** A change in one session of a task costs the same, however many sessions the task has. */
function benchAggregate(): string[] {
  const turns = 20_000;
  const [one = 1, many = 1] = [1, 1000].map((sessions) => {
    const story = begun(sessions);
    return cost(turns * 4, () => {
      for (let turn = 0; turn < turns; turn += 1) story.prompt(`s${turn % sessions}`);
    });
  });
  return ['a prompt of a task of 1,000 sessions', '', '', '', ns(many), times(many, one, 'a task of 1'), ''];
}

print([['', 'median', 'relative', '× floor', 'mean', 'relative', '× floor'], ...benchApply(), benchAggregate()]);
