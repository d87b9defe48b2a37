import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Connection, ConnectionMonitor } from '../src/connection.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-01-01T10:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

function monitored() {
  const seen: Connection[] = [];
  return { seen, monitor: new ConnectionMonitor((connection) => seen.push(connection)) };
}

test('[W5] a loss reads reconnecting, then lost, both since the moment of the loss', () => {
  const { seen, monitor } = monitored();
  monitor.up();
  vi.advanceTimersByTime(60_000);
  monitor.down();
  monitor.down();
  vi.advanceTimersByTime(60_000);
  monitor.up();
  expect(seen).toEqual([
    { status: 'live', since: null },
    { status: 'reconnecting', since: '2026-01-01T10:01:00.000Z' },
    { status: 'lost', since: '2026-01-01T10:01:00.000Z' },
    { status: 'live', since: null },
  ]);
});

test('[W5] a stream that never came up reads lost after a while', () => {
  const { seen, monitor } = monitored();
  monitor.down();
  vi.advanceTimersByTime(9_999);
  expect(seen).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(seen).toEqual([{ status: 'lost', since: '2026-01-01T10:00:00.000Z' }]);
});

test('[W5] an ended stream says nothing more', () => {
  const { seen, monitor } = monitored();
  monitor.stop();
  vi.runAllTimers();
  expect(seen).toEqual([]);
});
