import { expect, vi } from 'vitest';

/** Resolves with the value once there is one: looks again after each turn of the event loop. */
export async function eventually<T>(look: () => T | undefined | null | false): Promise<T> {
  return vi.waitFor(
    () => {
      const value = look();
      expect(value).toBeTruthy();
      return value as T;
    },
    { timeout: 5_000, interval: 5 },
  );
}
