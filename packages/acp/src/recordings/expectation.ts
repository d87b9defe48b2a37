import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { type ReadingLine, readingWord } from './reading-words.ts';

const readings = z.array(z.string()).min(1);

const expectation = z.strictObject({
  /** What really ran, from the scenario; not from what any code made of it. */
  ran: z.string(),
  /** Distinct readings in order, in the words of `readingWord`. `~word`: may be shown. */
  readings,
  /** The same with the experiment of S71 on. */
  fine: readings.optional(),
  /** What a moment must read, by its milliseconds. */
  at: z.record(z.string().regex(/^\d+$/), z.string()).optional(),
  /** What is left before the client lets go of the agent. */
  end: z.string(),
  /** What ran and cannot be known on this surface. */
  unknowable: z.string().optional(),
});

export type Expectation = z.infer<typeof expectation>;

/** The expectation beside a recording: `NAME.expect.json`; null where there is none. */
export function expectationOf(file: string): Expectation | null {
  const path = file.replace(/\.ndjson$/, '.expect.json');
  if (!existsSync(path)) return null;
  const parsed = expectation.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  if (parsed.success) return parsed.data;
  throw new Error(`expected ${path} to be an expectation: ${z.prettifyError(parsed.error)}`);
}

export interface Played {
  readonly lines: readonly ReadingLine[];
  /** When the client let go of the last process; infinite where it did not. */
  readonly letGoAt: number;
}

/** What differs, in lines for a person; empty when nothing does. */
export function differences(expected: Expectation, played: Played & { readonly fine: boolean }): readonly string[] {
  const { lines, letGoAt, fine } = played;
  const words = foldedWords(lines.filter((line) => line.t < letGoAt || line.state === 'created'));
  const wanted = fine ? (expected.fine ?? expected.readings) : expected.readings;
  const order = fits(words, wanted) ? [] : sideBySide(words, wanted);
  const moments = fine ? [] : Object.entries(expected.at ?? {});
  return [
    ...order,
    ...moments.flatMap(([t, word]) => unlike(`at ${t}`, wordAt(lines, Number(t)), word)),
    ...(fine ? [] : unlike('left at the end', words.at(-1)?.word ?? '', expected.end)),
  ];
}

function unlike(what: string, got: string, wanted: string): readonly string[] {
  return got === wanted ? [] : [`${what}: expected "${wanted}", got "${got}"`];
}

interface Word {
  readonly t: number;
  readonly word: string;
}

/** The readings since the first start of an agent, told once each. */
function foldedWords(lines: readonly ReadingLine[]): readonly Word[] {
  const words = lines.filter((line) => line.state !== 'created').map((line) => ({ t: line.t, word: readingWord(line) }));
  return words.filter((one, at) => one.word !== words[at - 1]?.word);
}

function wordAt(lines: readonly ReadingLine[], t: number): string {
  const line = lines.filter((one) => one.t <= t).at(-1);
  return line ? readingWord(line) : '';
}

/** In order and complete, but for those that only may be shown. */
function fits(words: readonly Word[], wanted: readonly string[]): boolean {
  const [want, ...rest] = wanted;
  if (want === undefined) return words.length === 0;
  const optional = want.startsWith('~');
  const taken = words[0]?.word === (optional ? want.slice(1) : want);
  return (taken && fits(words.slice(1), rest)) || (optional && fits(words, rest));
}

function sideBySide(words: readonly Word[], wanted: readonly string[]): readonly string[] {
  const height = Math.max(words.length, wanted.length);
  return [
    `${'      t'}  ${'shown'.padEnd(48)}  expected`,
    ...Array.from({ length: height }, (_, at) => {
      const { t = '', word = '' } = words[at] ?? {};
      return `${String(t).padStart(7)}  ${word.padEnd(48)}  ${wanted[at] ?? ''}`.trimEnd();
    }),
  ];
}
