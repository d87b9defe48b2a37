// Ratios of things measured in the same run; absolute times do not travel between machines.

const collect = (): void => globalThis.gc?.();

/** The middle of what was measured. */
export function median(of: Float64Array | number[]): number {
  return of.sort((a, b) => a - b)[of.length >> 1] ?? 0;
}

/** Bytes that are reachable. */
export function heap(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

/** Mean of the middle one of three runs, in ns of processor time per operation, collection of garbage included. */
export function cost(operations: number, run: () => void): number {
  return median(
    [1, 2, 3].map(() => {
      collect();
      const since = process.cpuUsage();
      run();
      const { user, system } = process.cpuUsage(since);
      return ((user + system) * 1000) / operations;
    }),
  );
}

/** Times single calls; what the clock itself costs is in every figure, also in the floor's. */
export class Stopwatch {
  readonly #times: Float64Array;
  #count = 0;

  constructor(limit: number) {
    this.#times = new Float64Array(limit);
  }

  /** Runs it and keeps how long it took, up to the limit. */
  time(run: () => void): void {
    const since = performance.now();
    run();
    const took = performance.now() - since;
    if (this.#count < this.#times.length) this.#times[this.#count++] = took * 1e6;
  }

  /** Median in ns. */
  get median(): number {
    return median(this.#times.subarray(0, this.#count));
  }
}

/** Prints rows as a table whose first column is text. */
export function print(rows: readonly (readonly string[])[]): void {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    console.log(cells.join('  '));
  }
}

export const ns = (value: number): string => `${value.toFixed(0)} ns`;
export const times = (value: number, of: number, what: string): string => `${(value / of).toFixed(1)} × ${what}`;
