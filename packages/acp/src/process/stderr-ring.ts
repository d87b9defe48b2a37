const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD/i;
const SHORTEST_SECRET = 6;

/** The last bytes of an agent's stderr, without the secrets of its environment. */
export class StderrRing {
  readonly #limit: number;
  readonly #secrets: readonly string[];
  #text = '';

  constructor(env: Readonly<Record<string, string | undefined>>, limit = 64 * 1024) {
    this.#limit = limit;
    this.#secrets = Object.entries(env)
      .flatMap(([name, value]) => (SECRET_NAME.test(name) && value && value.length >= SHORTEST_SECRET ? [value] : []))
      .sort((a, b) => b.length - a.length);
  }

  push(chunk: string): void {
    this.#text += chunk;
    if (this.#text.length <= 2 * this.#limit) return;
    // Cut at a line, so that half a secret never escapes the redaction.
    const cut = this.#text.slice(-this.#limit);
    this.#text = cut.slice(cut.indexOf('\n') + 1);
  }

  /** What is kept, redacted, cut to the limit at a line. */
  read(): string {
    let text = this.#text;
    for (const secret of this.#secrets) text = text.split(secret).join('***');
    if (text.length <= this.#limit) return text;
    const cut = text.slice(-this.#limit);
    return cut.slice(cut.indexOf('\n') + 1);
  }
}
