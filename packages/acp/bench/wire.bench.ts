// A real raw recording, looped: from the bytes of the agent's pipe through splitter, parser, reader, adapter and core to
// what a session shows. Printed are frames per second and how much of the time is not the parsing of JSON.
import { fileURLToPath } from 'node:url';
import { playRecording } from '../src/recordings/play-recording.ts';
import { inPieces, type RecordedLine, readLines } from '../src/recordings/recorded-lines.ts';

const RECORDING = 'claude-0.101/v2-raw/07-monitor';
const ROUNDS = 200;
const PIECE = 64 * 1024;

const lines = readLines(fileURLToPath(new URL(`../recordings/${RECORDING}.ndjson`, import.meta.url)));
const frames = lines.filter((line) => line.by === 'agent');

/** Milliseconds of one round, the median of all. */
function timed(round: () => void): number {
  for (let warm = 0; warm < 20; warm += 1) round();
  const times = Array.from({ length: ROUNDS }, () => {
    const from = performance.now();
    round();
    return performance.now() - from;
  });
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
}

const cut = (): readonly RecordedLine[] => inPieces(lines, () => PIECE);
const parsing = timed(() => {
  for (const { line } of frames) JSON.parse(line);
});
const reading = timed(cut);
const whole = timed(() => {
  playRecording(cut(), { provider: 'claude-acp' });
});

const percent = (part: number) => `${((100 * part) / whole).toFixed(0)} %`;
console.log(
  [
    `${RECORDING}: ${frames.length} frames, ${ROUNDS} rounds`,
    `frames per second: ${Math.round((1_000 * frames.length) / whole)}`,
    `of the time: JSON.parse ${percent(parsing)}, splitting and guarded parsing together ${percent(reading)}`,
    `outside JSON parsing: ${percent(whole - parsing)} (${(whole / parsing).toFixed(1)} times the parsing itself)`,
  ].join('\n'),
);
