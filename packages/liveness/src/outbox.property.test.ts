import fc from 'fast-check';
import { describe, it } from 'vitest';
import { FC_SEED } from '../test/grow.ts';
import { Outbox, type Subscription } from './outbox.ts';

interface Value {
  readonly key: string;
  readonly number: number;
}

type Act =
  | { readonly do: 'push'; readonly key: string; readonly voids: readonly string[] }
  | {
      readonly do: 'take';
      readonly reader: number;
      readonly most: number;
      readonly fails: boolean;
      readonly pushes: string | null;
    }
  | { readonly do: 'join' | 'leave' | 'break'; readonly reader: number };

const key = fc.constantFrom('a', 'b', 'c', 'd');
const reader = fc.nat({ max: 2 });
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('push' as const),
      key,
      voids: fc.subarray(['a', 'b', 'c', 'd'], { maxLength: 1 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('take' as const),
      reader,
      most: fc.integer({ min: 1, max: 4 }),
      fails: fc.boolean(),
      pushes: fc.option(key),
    }),
  },
  fc.record({ do: fc.constantFrom('join' as const, 'leave' as const, 'break' as const), reader }),
);

/** One reader, and the referee's own book of what it may still be owed. */
class Reader {
  readonly seen: Value[] = [];
  /** The latest value of each key that was pushed since it joined and not made void. */
  readonly owed = new Map<string, Value>();
  told = 0;
  throws = false;
  readonly subscription: Subscription<Value>;

  constructor(outbox: Outbox<Value>, limit: number) {
    this.subscription = outbox.subscribe(() => {
      this.told += 1;
      if (this.throws) throw new Error('a subscriber of its own');
    }, limit);
  }
}

const LIMIT = 3;

class Trial {
  readonly outbox = new Outbox<Value>();
  readonly readers: (Reader | undefined)[] = [];
  #last = 0;

  push(key: string, voids: readonly string[]): void {
    this.#last += 1;
    const value = { key, number: this.#last };
    const tellable = this.readers.map(
      (each) => each !== undefined && each.subscription.closed === null && each.owed.size === 0,
    );
    const before = this.readers.map((each) => each?.told ?? 0);
    for (const each of this.readers) {
      if (each === undefined || each.subscription.closed !== null) continue;
      for (const one of [...voids, key]) each.owed.delete(one);
      each.owed.set(key, value);
    }
    this.outbox.push(key, value, voids);
    for (const [index, each] of this.readers.entries()) {
      if (each === undefined) continue;
      if (each.owed.size > LIMIT) {
        if (each.subscription.closed === null) throw new Error(`${each.owed.size} keys wait and the reader is open`);
        each.owed.clear();
      }
      if (tellable[index] === true && each.told === before[index])
        throw new Error('something waits and the reader was not told');
    }
    this.check();
  }

  take(each: Reader, { most, fails, pushes }: Extract<Act, { do: 'take' }>): void {
    let left = most;
    for (const [key, value] of each.subscription.pending()) {
      if (left === 0) break;
      left -= 1;
      if (pushes !== null && left === 0) this.push(pushes, []);
      if (fails) continue;
      const earlier = each.seen.filter((one) => one.key === key).at(-1);
      if (earlier !== undefined && earlier.number >= value.number)
        throw new Error(`${key} went back from ${earlier.number} to ${value.number}`);
      each.seen.push(value);
      each.subscription.delivered(key, value);
      if (each.owed.get(key) === value) each.owed.delete(key);
    }
    this.check();
  }

  /** What waits is exactly the latest value of each key owed, oldest change first. */
  check(): void {
    for (const each of this.readers) {
      if (each === undefined) continue;
      const waits = [...each.subscription.pending()].map(([, value]) => value.number);
      const owed = [...each.owed.values()].map((value) => value.number).sort((a, b) => a - b);
      if (waits.length > LIMIT) throw new Error(`${waits.length} values wait, at most ${LIMIT} may`);
      if (waits.join() !== owed.join()) throw new Error(`waits ${waits.join()}, owed ${owed.join()}`);
    }
    const open = this.readers.filter((each) => each?.subscription.closed === null).length;
    if (this.outbox.size !== open) throw new Error(`${this.outbox.size} mailboxes for ${open} open readers`);
  }

  run(step: Act): void {
    if (step.do === 'push') {
      this.push(step.key, step.voids);
      return;
    }
    const each = this.readers[step.reader];
    if (step.do === 'join') {
      if (each === undefined || each.subscription.closed !== null)
        this.readers[step.reader] = new Reader(this.outbox, LIMIT);
    } else if (each === undefined) return;
    else if (step.do === 'take') this.take(each, step);
    else if (step.do === 'break') each.throws = !each.throws;
    else {
      each.subscription.close();
      each.owed.clear();
    }
    this.check();
  }
}

describe('the outbox', () => {
  it('[P4] [P5] [S103] [S104] [S105] gives each reader the latest of each key, in order, never back, never more than the limit', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60, size: 'max' }), (acts) => {
        const trial = new Trial();
        for (const each of acts) trial.run(each);
        for (const each of trial.readers) {
          if (each === undefined) continue;
          trial.take(each, { do: 'take', reader: 0, most: 100, fails: false, pushes: null });
          if (each.owed.size > 0) throw new Error(`still owed ${[...each.owed.keys()].join()}`);
        }
      }),
      { seed: FC_SEED, numRuns: 1500 },
    );
  });

  it('[S104] tells a reader that failed again with the next push', () => {
    const outbox = new Outbox<number>();
    const seen: number[] = [];
    let broken = true;
    const subscription = outbox.subscribe(() => {
      if (broken) throw new Error('not now');
      for (const [key, value] of subscription.pending()) {
        seen.push(value);
        subscription.delivered(key, value);
      }
    });
    outbox.push('a', 1);
    broken = false;
    outbox.push('b', 2);
    if (seen.join() !== '1,2') throw new Error(`seen ${seen.join() || 'nothing'}`);
  });
});
