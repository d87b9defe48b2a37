/**
 * Plays recordings as a session would have shown them and prints one JSON line each: `recordings FOLDER|FILE …`.
 * `--fine`, `--no-reported`: the toggles; `--provider P`: instead of the one that the recording names. Where an
 * expectation (`NAME.expect.json`) lies beside a recording they are compared; a difference is told and exits with 1.
 * `--table` plays nothing: it writes the generated part of docs/providers.md from the expectations of this repository.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { differences, expectationOf } from './recordings/expectation.ts';
import { letGoAt, playRecording, providerOf, surfaceOf } from './recordings/play-recording.ts';
import { readingLines, readingWord } from './recordings/reading-words.ts';
import { readLines } from './recordings/recorded-lines.ts';
import { withTable } from './recordings/surface-table.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    fine: { type: 'boolean', default: false },
    'no-reported': { type: 'boolean', default: false },
    provider: { type: 'string' },
    table: { type: 'boolean', default: false },
  },
});

const from = process.env.INIT_CWD ?? process.cwd();

function recordingsBelow(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.ndjson'))
    .sort()
    .map((name) => join(path, name));
}

/** Prints the recording's line; answers what differs from its expectation, null where there is none. */
function play(file: string): readonly string[] | null {
  const lines = readLines(file);
  const own = providerOf(lines, file);
  const provider = values.provider ?? own;
  const toggles = { fine: values.fine, reported: !values['no-reported'] };
  const steps = readingLines(playRecording(lines, { provider, ...toggles }));
  const until = letGoAt(lines);
  const left = steps.filter((step) => step.t < until || step.state === 'created').at(-1);
  const end = { left: left ? readingWord(left) : null, state: steps.at(-1)?.state ?? null };
  console.log(JSON.stringify({ file: relative(from, file), provider, surface: surfaceOf(lines), steps, end }));
  const expected = toggles.reported && provider === own ? expectationOf(file) : null;
  return expected && differences(expected, { lines: steps, letGoAt: until, fine: toggles.fine });
}

function writeTable(): void {
  const page = fileURLToPath(new URL('../../../docs/providers.md', import.meta.url));
  writeFileSync(page, withTable(readFileSync(page, 'utf8'), fileURLToPath(new URL('../recordings/', import.meta.url))));
}

function playAll(places: readonly string[]): void {
  let compared = 0;
  let different = 0;
  const files = places.flatMap((place) => recordingsBelow(resolve(from, place)));
  for (const file of files) {
    const found = play(file);
    compared += found === null ? 0 : 1;
    if (found === null || found.length === 0) continue;
    different += 1;
    console.error([`\n${relative(from, file)} is not as expected:`, ...found].join('\n'));
  }
  console.error(`${files.length} played, ${compared} compared, ${different} different`);
  if (different > 0) process.exitCode = 1;
}

const places = positionals.filter((one) => one !== '--');
if (values.table) writeTable();
else if (places.length > 0) playAll(places);
else {
  console.error('Expected a folder of recordings: recordings FOLDER [--fine] [--no-reported] [--provider P]');
  process.exitCode = 2;
}
