import type { LivenessEvent } from '@vigil/liveness';

/** Feeds time to records that wait for it: one timer a session. */
export interface Clock {
  set(sessionId: string, at: number | null): void;
  /** Deadlines that wait. */
  readonly size: number;
  stop(): void;
}

export function clockOf(deps: { now: () => number }, apply: (event: LivenessEvent) => void): Clock {
  const timers = new Map<string, NodeJS.Timeout>();
  let stopped = false;
  const clear = (sessionId: string) => {
    clearTimeout(timers.get(sessionId));
    timers.delete(sessionId);
  };
  const set = (sessionId: string, at: number | null): void => {
    clear(sessionId);
    if (at === null || stopped) return;
    const timer = setTimeout(
      () => {
        timers.delete(sessionId);
        // A timer may come early; time is then not over yet.
        if (deps.now() < at) set(sessionId, at);
        else apply({ type: 'time.passed', sessionId, at: deps.now() });
      },
      Math.max(0, at - deps.now()),
    );
    timer.unref();
    timers.set(sessionId, timer);
  };
  return {
    set,
    get size() {
      return timers.size;
    },
    stop() {
      stopped = true;
      for (const sessionId of [...timers.keys()]) clear(sessionId);
    },
  };
}
