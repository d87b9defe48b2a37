import { readFileSync } from 'node:fs';
import { LineSplitter } from '../wire/line-splitter.ts';
import { isObject, type JsonObject, numberAt, objectAt, parseFrame, textAt } from '../wire/json.ts';

/** One line of a recording. `line` is what stood on the wire; empty for a note of whoever recorded. */
export interface RecordedLine {
  /** Milliseconds since the recording began. */
  readonly t: number;
  readonly by: 'client' | 'agent' | 'note';
  readonly line: string;
  readonly frame: JsonObject;
}

const BY = { 'client->agent': 'client', 'agent->client': 'agent', meta: 'note' } as const;

/** The lines of a recording (`{"t", "dir", "frame"}`, one a line); what is none of them is left out. */
export function readLines(file: string): readonly RecordedLine[] {
  return parseLines(readFileSync(file, 'utf8'));
}

export function parseLines(text: string): readonly RecordedLine[] {
  return text.split('\n').flatMap((one): readonly RecordedLine[] => {
    const entry = parseFrame(one);
    const dir = textAt(entry, 'dir') ?? '';
    const t = numberAt(entry, 't');
    if (t === undefined || !Object.hasOwn(BY, dir) || !isObject(entry?.frame)) return [];
    const frame = objectAt(entry, 'frame');
    const by = BY[dir as keyof typeof BY];
    return [{ t, by, line: by === 'note' ? '' : JSON.stringify(frame), frame }];
  });
}

/** The note of a line; empty for a frame. */
export function noteOf(line: RecordedLine): string {
  return line.by === 'note' ? (textAt(line.frame, 'note') ?? '') : '';
}

const LINE_LIMIT = 64 * 1024 * 1024;

/**
 * The same recording as a reader of the agent's pipe sees it when the bytes come in pieces: what the agent wrote between
 * two lines of others is cut at the sizes that `next` gives, and goes through the real line splitter.
 */
export function inPieces(lines: readonly RecordedLine[], next: () => number): readonly RecordedLine[] {
  const seen: RecordedLine[] = [];
  let run: RecordedLine[] = [];
  const flush = () => {
    seen.push(...readInPieces(run, next));
    run = [];
  };
  for (const line of lines) {
    if (line.by === 'agent') {
      run.push(line);
      continue;
    }
    flush();
    seen.push(line);
  }
  flush();
  return seen;
}

function readInPieces(run: readonly RecordedLine[], next: () => number): readonly RecordedLine[] {
  const read: RecordedLine[] = [];
  const splitter = new LineSplitter({
    limit: LINE_LIMIT,
    onLine: (line) => {
      const t = run[read.length]?.t ?? 0;
      read.push({ t, by: 'agent', line, frame: parseFrame(line) ?? {} });
    },
    onDropped: () => undefined,
  });
  const bytes = Buffer.from(run.map(({ line }) => `${line}\n`).join(''));
  for (let at = 0; at < bytes.length; ) {
    const size = Math.max(1, next());
    splitter.push(bytes.subarray(at, at + size));
    at += size;
  }
  splitter.end();
  return read;
}
