import type { Database } from '@vigil/db';
import { deferred } from './fake-agent.ts';

type Moment = 'before' | 'after';

/** A real database where a test may hold calls of the prompt repository, before they are made or before their answer. */
export interface GatedDatabase {
  readonly database: Database;
  /** Calls of this method wait until the answer is called; `reached` resolves when the first does. */
  hold(method: keyof Database['prompts'], moment?: Moment): { reached: Promise<void>; release(): void };
}

export function gatedDatabase(real: Database): GatedDatabase {
  const gates = new Map<string, { reached: () => void; open: Promise<void>; moment: Moment }>();
  const pass = async (name: string, moment: Moment) => {
    const gate = gates.get(name);
    if (gate?.moment !== moment) return;
    gate.reached();
    await gate.open;
  };
  const prompts = new Proxy(real.prompts, {
    get(from, key) {
      const value: unknown = Reflect.get(from, key);
      if (typeof value !== 'function') return value;
      return async (...args: unknown[]) => {
        await pass(String(key), 'before');
        const answer: unknown = await Reflect.apply(value, from, args);
        await pass(String(key), 'after');
        return answer;
      };
    },
  });
  return {
    database: new Proxy(real, { get: (from, key) => (key === 'prompts' ? prompts : Reflect.get(from, key)) }),
    hold(method, moment = 'before') {
      const [reached, open] = [deferred<void>(), deferred<void>()];
      gates.set(method, { reached: () => reached.resolve(), open: open.promise, moment });
      return {
        reached: reached.promise,
        release: () => {
          gates.delete(method);
          open.resolve();
        },
      };
    },
  };
}
