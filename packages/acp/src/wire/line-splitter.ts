/** Cuts a byte stream into lines; refuses a line longer than its limit, in bytes. */
export class LineSplitter {
  readonly #limit: number;
  readonly #line: (line: string) => void;
  readonly #tooLong: () => void;
  #parts: Buffer[] = [];
  #length = 0;
  #broken = false;

  constructor(options: {
    readonly limit: number;
    readonly onLine: (line: string) => void;
    /** Called once; nothing is read after it. */
    readonly onTooLong: () => void;
  }) {
    this.#limit = options.limit;
    this.#line = options.onLine;
    this.#tooLong = options.onTooLong;
  }

  push(chunk: Buffer): void {
    let rest = chunk;
    for (let end = rest.indexOf(0x0a); end >= 0 && !this.#broken; end = rest.indexOf(0x0a)) {
      this.#keep(rest.subarray(0, end));
      this.#flush();
      rest = rest.subarray(end + 1);
    }
    this.#keep(rest);
  }

  /** The stream is over: a last line without its end is a line. */
  end(): void {
    this.#flush();
  }

  #keep(part: Buffer): void {
    if (this.#broken) return;
    this.#length += part.length;
    if (this.#length > this.#limit) {
      this.#broken = true;
      this.#parts = [];
      this.#tooLong();
    } else if (part.length > 0) this.#parts.push(part);
  }

  #flush(): void {
    if (this.#broken) return;
    const line = Buffer.concat(this.#parts).toString('utf8').trim();
    this.#parts = [];
    this.#length = 0;
    if (line !== '') this.#line(line);
  }
}
