// A real raw recording, looped to 3 MB: the bytes of the agent's pipe through splitter and parser (tap), reader, adapter
// and transcript (normalise) and the core (decide), all of them the parts that serve a live agent. Printed are frames per
// second and what share of the time each takes; parsing is what `JSON.parse` adds to the cutting of lines, and nothing
// else.
import { fileURLToPath } from 'node:url';
import { readLines } from '../src/recordings/recorded-lines.ts';
import { LoopedAgent, type Through } from './looped-agent.ts';

const RECORDING = 'claude-0.101/v2-raw/07-monitor';
const BYTES = 3_000_000;
const ROUNDS = 15;
const WARM = 5;

const lines = readLines(fileURLToPath(new URL(`../recordings/${RECORDING}.ndjson`, import.meta.url)));
const texts = lines.filter((line) => line.by === 'agent').map(({ line }) => line);
const loops = Math.ceil(BYTES / texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0));
const agent = new LoopedAgent(lines);

/** Processor time of one round in ms. */
function timed(stage: Through): number {
  const from = process.cpuUsage();
  for (let loop = 0; loop < loops; loop += 1) agent.play(stage);
  return process.cpuUsage(from).user / 1_000;
}

// The stages take turns, so that what else the machine does weighs on all of them alike.
const STAGES = ['split', 'parse', 'tap', 'normalise', 'decide'] as const;
const times = new Map<Through, number[]>(STAGES.map((stage) => [stage, []]));
for (let round = 0; round < WARM + ROUNDS; round += 1) {
  for (const stage of STAGES) {
    const time = timed(stage);
    if (round >= WARM) times.get(stage)?.push(time);
  }
}

const median = (stage: Through) => times.get(stage)?.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
const [split, parse, tap, normalise, whole] = STAGES.map(median) as [number, number, number, number, number];
const parsing = parse - split;

const percent = (part: number) => `${((100 * part) / whole).toFixed(0)} %`;
console.log(
  [
    `${RECORDING}: ${loops} times ${texts.length} frames, ${(BYTES / 1e6).toFixed(0)} MB, median of ${ROUNDS} rounds`,
    `frames per second of processor time: ${Math.round((1_000 * loops * texts.length) / whole)}`,
    `of the time: JSON.parse ${percent(parsing)}, the rest of the tap ${percent(tap - parsing)}, normalise ${percent(normalise - tap)}, decide ${percent(whole - normalise)}`,
    `outside JSON parsing: ${percent(whole - parsing)} (${((whole - parsing) / parsing).toFixed(2)} times the parsing itself)`,
  ].join('\n'),
);
