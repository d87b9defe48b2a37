import type { Database } from '@vigil/db';
import type fc from 'fast-check';
import { unreachable } from './fake-prompts.ts';

/** What happens to one call: done; done late; refused before anything was done; done, and the answer lost. */
export type Fate = 'fine' | 'slow' | 'fails' | 'unanswered';

/** The way from one life of the server to the database: slow, failing, down, and cut off when that life is killed. */
export class Weather {
  /** No call gets through. */
  down = false;
  /** Every call gets through. */
  calm = false;
  /** Calls that are not answered yet, those of killed lives apart. */
  pending = 0;
  readonly #scheduler: fc.Scheduler;
  readonly #fates: () => Fate;

  constructor(scheduler: fc.Scheduler, fates: () => Fate) {
    this.#scheduler = scheduler;
    this.#fates = fates;
  }

  /** The database as one life sees it; `isAlive` false: it does nothing and is told nothing any more. */
  over(database: Database, isAlive: () => boolean): Database {
    const guard = <T extends object>(target: T, path: string): T =>
      new Proxy(target, {
        get: (from, key) => {
          const member: unknown = Reflect.get(from, key);
          const name = `${path}${String(key)}`;
          if (typeof member === 'object' && member !== null) return guard(member, `${name}.`);
          if (typeof member !== 'function') return member;
          return (...args: unknown[]) => this.#call(name, isAlive, async () => Reflect.apply(member, from, args));
        },
      });
    return guard(database, '');
  }

  async #call(name: string, isAlive: () => boolean, run: () => Promise<unknown>): Promise<unknown> {
    this.pending += 1;
    const fate = this.calm ? 'fine' : this.#fates();
    await this.#scheduler.schedule(Promise.resolve(), `db ${name}`);
    if (!isAlive()) return this.#never();
    if (this.down || fate === 'fails') {
      this.pending -= 1;
      throw unreachable(`${name} did not get through`);
    }
    const answer = run();
    answer.catch(() => undefined);
    if (fate === 'slow' || fate === 'unanswered') {
      await this.#scheduler.schedule(Promise.resolve(), `db ${name} ${fate}`);
      if (!isAlive()) return this.#never();
    }
    this.pending -= 1;
    if (fate === 'unanswered') throw unreachable(`the answer to ${name} was lost`);
    return answer;
  }

  #never(): Promise<never> {
    this.pending -= 1;
    return new Promise(() => undefined);
  }
}
