import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { differences, expectationOf } from './expectation.ts';
import { letGoAt, playRecording, providerOf, type Toggles } from './play-recording.ts';
import { type ReadingLine, readingLines } from './reading-words.ts';
import { inPieces, type RecordedLine, readLines } from './recorded-lines.ts';
import { seeded } from './seeded.ts';

const FOLDER = fileURLToPath(new URL('../../recordings/', import.meta.url));
const FILES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ndjson'))
  .sort();
const SURFACES = [...new Set(FILES.map((name) => name.slice(0, name.lastIndexOf('/'))))];

function play(lines: readonly RecordedLine[], path: string, toggles: Toggles = {}): readonly ReadingLine[] {
  return readingLines(playRecording(lines, { provider: providerOf(lines, path), ...toggles }));
}

/** What differs from the expectation, for a person; empty when nothing does. */
function unlike(name: string, lines: readonly RecordedLine[], toggles: Toggles = {}): string {
  const path = join(FOLDER, name);
  const expected = expectationOf(path);
  if (!expected) return `${name}: expected NAME.expect.json beside it, there is none`;
  const { fine = false } = toggles;
  const found = differences(expected, { lines: play(lines, path, toggles), letGoAt: letGoAt(lines), fine });
  return found.length === 0 ? '' : `\n${name} (${expected.ran})\n${found.join('\n')}\n`;
}

describe.each(SURFACES)('%s', (surface) => {
  const files = FILES.filter((name) => name.startsWith(`${surface}/`) && name.lastIndexOf('/') === surface.length);

  it.each(files)('[S1, S24] shows of %s what really ran', (name) => {
    expect(unlike(name, readLines(join(FOLDER, name)))).toBe('');
  });

  it.each(files)('[S72] shows of %s what really ran, with the experiment on', (name) => {
    expect(unlike(name, readLines(join(FOLDER, name)), { fine: true })).toBe('');
  });

  it.each(files)('[S14] reads %s alike however its bytes are cut', (name) => {
    const lines = readLines(join(FOLDER, name));
    const next = seeded(name.length);
    const whole = play(lines, name);

    expect(play(inPieces(lines, () => 1 + Math.floor(next() ** 3 * 9_000)), name)).toEqual(whole);
    expect(play(inPieces(lines, () => 61), name)).toEqual(whole);
  });

  it.each(files)('[S22, S110] counts in %s what it lists, and leaves nothing when the agent is gone', (name) => {
    const lines = play(readLines(join(FOLDER, name)), name);

    for (const line of lines) {
      expect(line.count).toBe(line.live.filter((one) => one.kind === 'subagent').length);
    }
    expect(lines.at(-1)).toMatchObject({ live: [], count: 0, tier: null, pending: [] });
  });
});
