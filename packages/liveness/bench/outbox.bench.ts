import { Outbox, type Subscription } from '../src/outbox.ts';
import { cost, heap, ns, print, times } from './measure.ts';

const READERS = 10_000;
const PUSHES = 200;
const KEYS = 20;

function drain(subscription: Subscription<number>): void {
  for (const [key, value] of subscription.pending()) subscription.delivered(key, value);
}

/** An outbox of which the first `stalled` readers never read. */
function crowd(stalled: number): Outbox<number> {
  const outbox = new Outbox<number>();
  for (let index = 0; index < READERS; index += 1) {
    const subscription: Subscription<number> = outbox.subscribe(() =>
      index < stalled ? undefined : drain(subscription),
    );
  }
  return outbox;
}

function push(outbox: Outbox<number>, pushes: number): void {
  for (let value = 0; value < pushes; value += 1) outbox.push(`k${value % KEYS}`, value);
}

const fan = (stalled: number): number => {
  const outbox = crowd(stalled);
  return cost(READERS * PUSHES, () => push(outbox, PUSHES));
};

function kept(): readonly [once: number, again: number] {
  const outbox = crowd(READERS / 2);
  push(outbox, KEYS);
  const before = heap();
  push(outbox, PUSHES);
  const once = heap() - before;
  push(outbox, PUSHES * 4);
  return [once, heap() - before - once];
}

const [none, half] = [fan(0), fan(READERS / 2)];
const [once, again] = kept();
const kib = (bytes: number): string => `${(bytes / 1024).toFixed(0)} KiB`;
print([
  ['', 'cost', 'relative'],
  [`a push to ${READERS} readers`, `${ns(none)} a reader`, ''],
  ['half of them stalled', `${ns(half)} a reader`, times(half, none, 'none stalled')],
  [`heap more after ${PUSHES} pushes`, kib(once), ''],
  [`after ${PUSHES * 4} more`, kib(again), ''],
]);
