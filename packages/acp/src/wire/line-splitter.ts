import { isUtf8 } from 'node:buffer';
import type { FrameDrop } from './frame-drops.ts';

export interface LineSplitterOptions {
  /** In bytes. */
  readonly limit: number;
  readonly onLine: (line: string) => void;
  /** A line was passed over. */
  readonly onDropped: (why: Extract<FrameDrop, 'line_too_long' | 'invalid_utf8'>) => void;
}

/** Cuts a byte stream into lines. Passes over a line longer than its limit, without keeping it, and one that is no UTF-8. */
export class LineSplitter {
  readonly #options: LineSplitterOptions;
  #parts: Buffer[] = [];
  #length = 0;

  constructor(options: LineSplitterOptions) {
    this.#options = options;
  }

  push(chunk: Buffer): void {
    let rest = chunk;
    for (let end = rest.indexOf(0x0a); end >= 0; end = rest.indexOf(0x0a)) {
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
    if (part.length === 0) return;
    this.#length += part.length;
    if (this.#length > this.#options.limit) this.#parts = [];
    else this.#parts.push(part);
  }

  #flush(): void {
    const { limit, onLine, onDropped } = this.#options;
    const tooLong = this.#length > limit;
    const bytes = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#length = 0;
    const line = bytes.toString('utf8').trim();
    if (tooLong) onDropped('line_too_long');
    else if (!isUtf8(bytes)) onDropped('invalid_utf8');
    else if (line !== '') onLine(line);
  }
}
