/** Watches an opening for silence: an agent that says nothing for too long is given up (S130). */
export class StartWatch {
  /** Resolves with the reason when the opening is to be given up; never otherwise. */
  readonly expired: Promise<string>;
  readonly #timeout: number;
  readonly #give: (why: string) => void;
  #timer: NodeJS.Timeout;

  /** `timeout` in ms. */
  constructor(timeout: number) {
    let give: (why: string) => void = () => {};
    this.expired = new Promise((resolve) => {
      give = resolve;
    });
    this.#give = give;
    this.#timeout = timeout;
    this.#timer = this.#arm();
  }

  /** A sign of life. */
  frame(): void {
    this.#timer.refresh();
  }

  abort(why: string): void {
    this.#give(why);
    this.stop();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #arm(): NodeJS.Timeout {
    return setTimeout(() => this.#give(`it said nothing for ${this.#timeout} ms`), this.#timeout);
  }
}
