/**
 * Plays recordings as a session would have shown them and prints one JSON line each: `recordings FOLDER|FILE …`.
 * `--fine`, `--no-reported`: the toggles; `--provider P`: instead of the one that the recording names. Where an
 * expectation (`NAME.expect.json`) lies beside a recording they are compared; a difference is told and exits with 1.
 */
import { readdirSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { differences, expectationOf } from './recordings/expectation.ts';
import { letGoAt, playRecording, providerOf, surfaceOf } from './recordings/play-recording.ts';
import { readingLines, readingWord } from './recordings/reading-words.ts';
import { readLines } from './recordings/recorded-lines.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    fine: { type: 'boolean', default: false },
    'no-reported': { type: 'boolean', default: false },
    provider: { type: 'string' },
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
  const provider = values.provider ?? providerOf(lines, file);
  const toggles = { fine: values.fine, reported: !values['no-reported'] };
  const steps = readingLines(playRecording(lines, { provider, ...toggles }));
  const until = letGoAt(lines);
  const left = steps.filter((step) => step.t < until || step.state === 'created').at(-1);
  const end = { left: left ? readingWord(left) : null, state: steps.at(-1)?.state ?? null };
  console.log(JSON.stringify({ file: relative(from, file), provider, surface: surfaceOf(lines), steps, end }));
  const expected = toggles.reported ? expectationOf(file) : null;
  return expected && differences(expected, { lines: steps, letGoAt: until, fine: toggles.fine });
}

const places = positionals.filter((one) => one !== '--');
if (places.length === 0) {
  console.error('Expected a folder of recordings: recordings FOLDER [--fine] [--no-reported] [--provider P]');
  process.exitCode = 2;
}

let played = 0;
let compared = 0;
let different = 0;
for (const file of places.flatMap((place) => recordingsBelow(resolve(from, place)))) {
  const found = play(file);
  played += 1;
  if (found === null) continue;
  compared += 1;
  if (found.length === 0) continue;
  different += 1;
  console.error([`\n${relative(from, file)} is not as expected:`, ...found].join('\n'));
}
console.error(`${played} played, ${compared} compared, ${different} different`);
if (different > 0) process.exitCode = 1;
