import { attest } from '../src/attestation.ts';
import type { LivenessEvent } from '../src/event.ts';
import type { Fact } from '../src/fact.ts';
import { Outbox, type Subscription } from '../src/outbox.ts';
import { Tracker } from '../src/tracker.ts';
import type { Traits } from '../src/traits.ts';

// Ratios of things measured in the same run; absolute times do not travel between machines.

type Bare<E> = E extends LivenessEvent ? Omit<E, 'sessionId' | 'at'> : never;
const EVENTS = 100_000;
const RULES = { fine: false, reported: true, settleAfterMs: 2000 };
const TRAITS: Traits = {
  reports: true,
  handoff: false,
  wakes: true,
  agentCycles: true,
  levels: 1,
  rpc: 'held',
  begins: 'written',
  cancelKills: [],
};
const collect = (): void => globalThis.gc?.();
const heap = (): number => {
  collect();
  return process.memoryUsage().heapUsed;
};

/** Median of three runs, in ns of processor time per operation. */
function cost(operations: number, run: () => void): number {
  const times = [1, 2, 3].map(() => {
    collect();
    const since = process.cpuUsage();
    run();
    return (process.cpuUsage(since).user * 1000) / operations;
  });
  return times.sort((a, b) => a - b)[1] ?? 0;
}

let clock = 0;
const apply = (tracker: Tracker, sessionId: string, event: Bare<LivenessEvent>): void => {
  clock += 1;
  tracker.apply({ ...event, sessionId, at: clock } as LivenessEvent);
};
const frame = (executionId: string, ...facts: Fact[]): Bare<LivenessEvent> => ({
  type: 'frame.received',
  executionId,
  facts,
});

function quiet(): Tracker {
  return new Tracker({ onChange: () => undefined, onDeadline: () => undefined });
}

function load(tracker: Tracker, sessionId: string, taskId: string): void {
  apply(tracker, sessionId, {
    type: 'session.loaded',
    taskId,
    rules: RULES,
    state: 'created',
    stopReason: null,
    error: null,
    unknown: false,
    created: true,
  });
}

/** One prompt to its end. Answers how many events that was. */
function prompt(tracker: Tracker, sessionId: string): number {
  const claim = tracker.claim({
    type: 'prompt.claimed',
    sessionId,
    at: clock,
    origin: 'human',
    executionId: `e-${sessionId}`,
  });
  if (!claim.granted) throw new Error(`expected ${sessionId} to accept a prompt, it refused: ${claim.reason}`);
  const { generation, executionId, starts } = claim;
  if (starts) apply(tracker, sessionId, { type: 'execution.opened', executionId, traits: TRAITS });
  apply(tracker, sessionId, { type: 'prompt.dispatched', generation });
  apply(tracker, sessionId, frame(executionId, { kind: 'prompt.accepted', generation }));
  apply(tracker, sessionId, frame(executionId, { kind: 'rpc.settled', generation, stopReason: 'end_turn' }));
  return starts ? 5 : 4;
}

/** 70 % tool and text frames, 20 % registrations and ends, 10 % prompts, spread over all sessions. */
function mixed(tracker: Tracker, sessions: number, events: number): void {
  let done = 0;
  for (let turn = 0; done < events; turn += 1) {
    const sessionId = `s${(turn * 7919) % sessions}`;
    const executionId = `e-${sessionId}`;
    done += prompt(tracker, sessionId);
    for (let step = 0; step < 28; step += 1) {
      const toolCallId = `c${step >> 1}`;
      const text = step % 4 === 3;
      apply(
        tracker,
        sessionId,
        frame(
          executionId,
          text
            ? { kind: 'output', ended: true }
            : { kind: 'tool', toolCallId, opens: step % 2 === 0, child: true, closed: step % 2 === 1 },
        ),
      );
    }
    for (const run of [0, 1, 2, 3]) {
      const names = [`run:${turn}/${run}`] as const;
      apply(
        tracker,
        sessionId,
        frame(executionId, {
          kind: 'attested',
          attestation: attest({ what: 'started', names, kind: 'subagent', detached: true }),
        }),
      );
      apply(
        tracker,
        sessionId,
        frame(executionId, { kind: 'attested', attestation: attest({ what: 'ended', names }) }),
      );
    }
    done += 36;
    if (turn % 40 === 39) {
      apply(tracker, sessionId, { type: 'execution.ended', executionId, cause: 'stopped', error: null });
      done += 1;
    }
  }
}

function benchApply(): string[][] {
  const floor = cost(EVENTS, () => {
    const map = new Map<string, { at: number }>();
    for (let at = 0; at < EVENTS; at += 1) map.set(`s${(at * 7919) % 10_000}`, { at });
  });
  const costs = [100, 10_000, 100_000].map((sessions) => {
    const tracker = quiet();
    tracker.loadTask('t', []);
    for (let index = 0; index < sessions; index += 1) load(tracker, `s${index}`, 't');
    return [sessions, cost(EVENTS, () => mixed(tracker, sessions, EVENTS))] as const;
  });
  const first = costs[0]?.[1] ?? 1;
  return [
    ['an update of an empty Map', `${floor.toFixed(0)} ns`, '', '1.0'],
    ...costs.map(([sessions, each]) => [
      `apply, ${sessions} sessions`,
      `${each.toFixed(0)} ns`,
      `${(each / first).toFixed(1)} × 100 sessions`,
      (each / floor).toFixed(1),
    ]),
  ];
}

function benchLives(): string[] {
  const lives = 100_000;
  const tracker = quiet();
  tracker.loadTask('t', []);
  const live = (from: number, to: number): void => {
    for (let index = from; index < to; index += 1) {
      const sessionId = `life${index}`;
      load(tracker, sessionId, 't');
      prompt(tracker, sessionId);
      const names = [`run:${index}`] as const;
      apply(
        tracker,
        sessionId,
        frame(`e-${sessionId}`, {
          kind: 'attested',
          attestation: attest({ what: 'started', names, kind: 'shell', detached: true }),
        }),
      );
      apply(tracker, sessionId, {
        type: 'execution.ended',
        executionId: `e-${sessionId}`,
        cause: 'stopped',
        error: null,
      });
      apply(tracker, sessionId, { type: 'session.removed' });
    }
  };
  live(0, 1000);
  const before = heap();
  live(1000, lives + 1000);
  const kept = heap() - before;
  return [
    `heap kept after ${lives} lives`,
    `${(kept / 1024).toFixed(0)} KiB`,
    `${(kept / lives).toFixed(2)} B a life`,
    '',
  ];
}

function benchAggregate(): string[] {
  const turns = 20_000;
  const [one, many] = [1, 1000].map((sessions) => {
    const tracker = quiet();
    tracker.loadTask('t', []);
    for (let index = 0; index < sessions; index += 1) load(tracker, `s${index}`, 't');
    return cost(turns * 4, () => {
      for (let turn = 0; turn < turns; turn += 1) prompt(tracker, `s${turn % sessions}`);
    });
  });
  return [
    'aggregate, a task of 1,000 sessions',
    `${many?.toFixed(0)} ns`,
    `${((many ?? 0) / (one ?? 1)).toFixed(1)} × a task of 1`,
    '',
  ];
}

function benchFanOut(): string[][] {
  const [readers, pushes, keys] = [10_000, 200, 20];
  const drain = (subscription: Subscription<number>): void => {
    for (const [key, value] of subscription.pending()) subscription.delivered(key, value);
  };
  const time = (stalled: number): number => {
    const outbox = new Outbox<number>();
    for (let index = 0; index < readers; index += 1) {
      const subscription: Subscription<number> = outbox.subscribe(() =>
        index < stalled ? undefined : drain(subscription),
      );
    }
    let value = 0;
    return cost(readers * pushes, () => {
      for (let push = 0; push < pushes; push += 1) {
        value += 1;
        outbox.push(`k${push % keys}`, value);
      }
    });
  };
  const [none, half] = [time(0), time(readers / 2)];
  return [
    [`outbox, ${readers} readers, none stalled`, `${none.toFixed(0)} ns a reader`, '', ''],
    [
      `outbox, ${readers} readers, half stalled`,
      `${half.toFixed(0)} ns a reader`,
      `${(half / none).toFixed(1)} × none stalled`,
      '',
    ],
  ];
}

function print(rows: readonly (readonly string[])[]): void {
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  '),
    );
}

print([['', 'cost', 'relative', '× floor'], ...benchApply(), benchLives(), benchAggregate(), ...benchFanOut()]);
