/** How long lines are handled in a row, in ms, before everything else has its turn. */
const BUDGET_MS = 10;
const LOOK_EVERY = 16;

export interface PacedLinesOptions {
  readonly onLine: (line: string) => void;
  /** Stops and resumes the source, so that what waits does not pile up. */
  readonly pause: () => void;
  readonly resume: () => void;
  readonly now?: () => number;
}

/** Hands lines on in their order, at once; a flood of them is cut, so that one agent never starves the others. */
export class PacedLines {
  readonly #options: PacedLinesOptions;
  #waiting: string[] = [];
  #at = 0;
  #scheduled = false;
  #ended: (() => void) | null = null;

  constructor(options: PacedLinesOptions) {
    this.#options = options;
  }

  push(line: string): void {
    this.#waiting.push(line);
  }

  /** Hands on what was pushed, as far as the budget goes, and the rest in later turns of the loop. */
  drain(): void {
    if (this.#scheduled) return;
    const { now = performance.now.bind(performance), onLine, pause } = this.#options;
    const until = now() + BUDGET_MS;
    for (let line = this.#next(); line !== undefined; line = this.#next()) {
      onLine(line);
      if (this.#at % LOOK_EVERY !== 0 || this.#at >= this.#waiting.length || now() < until) continue;
      this.#scheduled = true;
      pause();
      setImmediate(() => this.#again());
      return;
    }
    this.#ended?.();
    this.#ended = null;
  }

  /** Calls back once all that was pushed is handed on. */
  end(done: () => void): void {
    this.#ended = done;
    this.drain();
  }

  #again(): void {
    this.#scheduled = false;
    this.drain();
    if (!this.#scheduled) this.#options.resume();
  }

  #next(): string | undefined {
    const line = this.#waiting[this.#at];
    if (line === undefined) {
      this.#waiting = [];
      this.#at = 0;
    } else this.#at += 1;
    return line;
  }
}
