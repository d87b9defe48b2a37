import { BoundedMap, type StopTarget } from './adapter.ts';

interface Entry {
  target: StopTarget | null;
}

/** How items of work can be stopped, under any of their names. */
export class StopBook {
  readonly #entries = new BoundedMap<Entry>(5_000);

  /** The names mean one run; the target is how it can be stopped, where this frame tells. */
  join(names: readonly string[], target: StopTarget | null = null): void {
    const known = names.map((name) => this.#entries.get(name)).filter((one) => one !== undefined);
    const entry = known[0] ?? { target: null };
    entry.target = target ?? known.find((one) => one.target)?.target ?? null;
    for (const name of names) this.#entries.set(name, entry);
  }

  /** It cannot be stopped any more. */
  forget(name: string): void {
    const entry = this.#entries.get(name);
    if (entry) entry.target = null;
  }

  targetOf(name: string): StopTarget | null {
    return this.#entries.get(name)?.target ?? null;
  }
}
