import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { connectingNow } from '../src/connection.ts';
import { SharedWatch } from '../src/react/shared-watch.ts';
import { Store } from '../src/store.ts';
import type { Watch, Watched } from '../src/watch.ts';

const idle: Watched<string> = { view: 'idle', connection: connectingNow(), error: null };

class CountedWatch implements Watch<string> {
  readonly store = new Store<Watched<string>>({ ...idle, view: 'live' });
  readonly getSnapshot = this.store.getSnapshot;
  readonly subscribe = this.store.subscribe;
  stopped = false;
  until = () => Promise.reject(new Error('not used'));
  stop(): void {
    this.stopped = true;
  }
}

function shared() {
  const started: CountedWatch[] = [];
  const watch = new SharedWatch<string>(() => {
    const next = new CountedWatch();
    started.push(next);
    return next;
  }, idle);
  return { started, watch };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('[W5] all readers share one stream, which begins with the first and ends after the last', () => {
  const { started, watch } = shared();
  expect(watch.getSnapshot()).toBe(idle);
  const leave = [watch.subscribe(() => {}), watch.subscribe(() => {})];
  expect(started).toHaveLength(1);
  expect(watch.getSnapshot().view).toBe('live');
  for (const one of leave) one();
  expect(started[0]?.stopped).toBe(false);
  vi.runAllTimers();
  expect(started[0]?.stopped).toBe(true);
  expect(watch.getSnapshot()).toBe(idle);
});

test('[W5] a reader that comes back at once, as in strict mode, keeps the stream', () => {
  const { started, watch } = shared();
  watch.subscribe(() => {})();
  const leave = watch.subscribe(() => {});
  vi.runAllTimers();
  expect(started).toHaveLength(1);
  expect(started[0]?.stopped).toBe(false);
  leave();
});

test('[W5] rendering on a server opens nothing', () => {
  const { started, watch } = shared();
  expect(watch.getServerSnapshot()).toBe(idle);
  expect(started).toHaveLength(0);
});
