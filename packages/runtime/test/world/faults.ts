import { unreachable } from './fake-prompts.ts';

/** What a test does to calls of one name (`prompts.enqueue`). `unanswered`: done, and its answer is lost. */
export class Faults {
  readonly fates = new Map<string, 'fails' | 'unanswered'>();
  /** Calls are answered only when this resolves; they were done before. */
  readonly holds = new Map<string, Promise<void>>();
  /** Calls that still fail: how often, by name. */
  readonly failures = new Map<string, number>();

  over<T extends object>(target: T, path = ''): T {
    return new Proxy(target, {
      get: (from, key) => {
        const member: unknown = Reflect.get(from, key);
        const name = `${path}${String(key)}`;
        if (typeof member === 'object' && member !== null) return this.over(member, `${name}.`);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) => this.#call(name, async () => Reflect.apply(member, from, args));
      },
    });
  }

  async #call(name: string, run: () => Promise<unknown>): Promise<unknown> {
    const left = this.failures.get(name) ?? 0;
    if (left > 0) this.failures.set(name, left - 1);
    if (left > 0 || this.fates.get(name) === 'fails') throw unreachable(`${name} does not get through`);
    const answer = await run();
    await this.holds.get(name);
    if (this.fates.get(name) === 'unanswered') throw unreachable(`the answer to ${name} is lost`);
    return answer;
  }
}
