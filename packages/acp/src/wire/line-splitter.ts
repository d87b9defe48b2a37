import { isAscii, isUtf8 } from 'node:buffer';
import type { FrameDrop } from './frame-drops.ts';

const LINE_FEED = 0x0a;

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
  /** What came so far of a line whose end is still to come. */
  #parts: Buffer[] = [];
  #length = 0;

  constructor(options: LineSplitterOptions) {
    this.#options = options;
  }

  push(chunk: Buffer): void {
    // Most of what agents write is ASCII, which needs no decoding: one look at the whole chunk tells.
    const ascii = isAscii(chunk);
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      this.#line(chunk, { from, end, ascii });
      from = end + 1;
    }
    if (from < chunk.length) this.#keep(from === 0 ? chunk : chunk.subarray(from));
  }

  /** The stream is over: a last line without its end is a line. */
  end(): void {
    this.#flush();
  }

  #line(chunk: Buffer, { from, end, ascii }: { readonly from: number; readonly end: number; readonly ascii: boolean }) {
    if (this.#length === 0 && ascii && end - from <= this.#options.limit) {
      this.#hand(chunk.toString('latin1', from, end));
      return;
    }
    this.#keep(chunk.subarray(from, end));
    this.#flush();
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return;
    this.#length += part.length;
    if (this.#length > this.#options.limit) this.#parts = [];
    else this.#parts.push(part);
  }

  #flush(): void {
    const tooLong = this.#length > this.#options.limit;
    const [first] = this.#parts;
    const bytes = first !== undefined && this.#parts.length === 1 ? first : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#length = 0;
    if (tooLong) this.#options.onDropped('line_too_long');
    // A character of its own kind is rare, and reading a line as ASCII is three times as fast.
    else if (isAscii(bytes)) this.#hand(bytes.toString('latin1'));
    else if (isUtf8(bytes)) this.#hand(bytes.toString('utf8'));
    else this.#options.onDropped('invalid_utf8');
  }

  #hand(text: string): void {
    const line = text.trim();
    if (line !== '') this.#options.onLine(line);
  }
}
