import fc from 'fast-check';
import { describe, it } from 'vitest';
import { FC_SEED } from '../test/grow.ts';
import { Outbox, type Subscription } from './outbox.ts';

interface Value {
  readonly key: string;
  readonly number: number;
}

/** Delivers one by one; the scheduler decides when each delivery is over, and the dice whether it failed. */
class SlowReader {
  readonly seen: Value[] = [];
  readonly subscription: Subscription<Value>;
  readonly #deliver: (value: Value) => Promise<boolean>;
  #busy = false;

  constructor(outbox: Outbox<Value>, deliver: (value: Value) => Promise<boolean>) {
    this.#deliver = deliver;
    this.subscription = outbox.subscribe(() => void this.drain());
  }

  async drain(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const [key, value] = next;
      if (!(await this.#deliver(value))) break;
      this.seen.push(value);
      this.subscription.delivered(key, value);
    }
    this.#busy = false;
  }

  #next(): readonly [string, Value] | undefined {
    return this.subscription.pending().next().value;
  }
}

/** What is wrong with what one reader saw of what was pushed; null when nothing is. */
function problem(seen: readonly Value[], pushed: readonly Value[]): string | null {
  const last = new Map<string, number>();
  for (const value of seen) {
    if (!pushed.includes(value)) return `saw ${value.key}${value.number}, which nobody pushed`;
    if (value.number <= (last.get(value.key) ?? 0)) return `${value.key} went back to ${value.number}`;
    last.set(value.key, value.number);
  }
  for (const { key, number } of new Map(pushed.map((value) => [value.key, value])).values()) {
    if (last.get(key) !== number) return `${key} ends at ${last.get(key)}, the last value is ${number}`;
  }
  return null;
}

const keys = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 25 });
const dice = fc.array(fc.boolean(), { maxLength: 40 });

describe('deliveries', () => {
  it('[P4] [P5] [S100] [S102] [S104] show each reader a subsequence that ends at the last value, in every order', async () => {
    const property = fc.asyncProperty(fc.scheduler(), keys, dice, async (scheduler, order, fails) => {
      const outbox = new Outbox<Value>();
      const left = [...fails];
      const readers = [0, 1, 2].map(
        (name) =>
          new SlowReader(outbox, async ({ key, number }) => {
            await scheduler.schedule(Promise.resolve(), `${name} takes ${key}${number}`);
            return left.pop() !== true;
          }),
      );
      const pushed = order.map((key, index) => ({ key, number: index + 1 }));
      scheduler.scheduleSequence(
        pushed.map((value) => ({
          label: `push ${value.key}${value.number}`,
          builder: async () => outbox.push(value.key, value),
        })),
      );
      await scheduler.waitIdle();
      // What failed is made good by the next publication, and that is no excuse for anything else.
      left.length = 0;
      const closing = { key: 'z', number: order.length + 1 };
      outbox.push(closing.key, closing);
      for (const reader of readers) void reader.drain();
      await scheduler.waitIdle();
      const wrong = readers.map(({ seen }) => problem(seen, [...pushed, closing])).find((each) => each !== null);
      if (wrong !== undefined) throw new Error(wrong ?? '');
    });
    await fc.assert(property, { seed: FC_SEED, numRuns: 400 });
  });
});
