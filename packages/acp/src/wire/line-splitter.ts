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
    let from = 0;
    if (this.#length > 0) {
      from = chunk.indexOf(LINE_FEED) + 1;
      this.#keep(from === 0 ? chunk : chunk.subarray(0, from - 1));
      if (from === 0) return;
      this.#flush();
    }
    const to = chunk.lastIndexOf(LINE_FEED) + 1;
    if (to > from) this.#cut(chunk.subarray(from, to));
    this.#keep(chunk.subarray(to));
  }

  /** The stream is over: a last line without its end is a line. */
  end(): void {
    this.#flush();
  }

  /**
   * Whole lines, each with its end. Most of what agents write is ASCII, and to cut one text is many times cheaper than to
   * decode line by line; so what is not ASCII is halved until it is a single line.
   */
  #cut(lines: Buffer): void {
    const middle = lines.lastIndexOf(LINE_FEED, lines.length >> 1);
    const end = middle < 0 ? lines.indexOf(LINE_FEED) : middle;
    if (isAscii(lines)) this.#cutText(lines.toString('latin1'));
    else if (end === lines.length - 1) {
      this.#keep(lines.subarray(0, end));
      this.#flush();
    } else {
      this.#cut(lines.subarray(0, end + 1));
      this.#cut(lines.subarray(end + 1));
    }
  }

  #cutText(text: string): void {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      if (end - from > this.#options.limit) this.#options.onDropped('line_too_long');
      else this.#hand(text.slice(from, end));
      from = end + 1;
    }
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
    // To read a line as ASCII is three times as fast.
    else if (isAscii(bytes)) this.#hand(bytes.toString('latin1'));
    else if (isUtf8(bytes)) this.#hand(bytes.toString('utf8'));
    else this.#options.onDropped('invalid_utf8');
  }

  #hand(text: string): void {
    const line = text.trim();
    if (line !== '') this.#options.onLine(line);
  }
}
