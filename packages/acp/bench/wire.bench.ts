// A real raw recording, looped to 3 MB: the bytes of the agent's pipe through splitter and parser (tap), reader, adapter
// and transcript (normalise) and the core (decide), all of them the parts that serve a live agent. Printed are frames per
// second and what share of the time each takes. What `JSON.parse` takes is measured where it runs, within the whole path:
// parsed by itself the same text is faster, since nothing keeps what it makes and nothing else wants the caches. Its guards
// are what `parseFrame` looks at before: how deep a line nests, and whether it names a prototype.
import { fileURLToPath } from 'node:url';
import { readLines } from '../src/recordings/recorded-lines.ts';
import { parseFrame } from '../src/wire/json.ts';
import { LoopedAgent, type Through } from './looped-agent.ts';

const RECORDING = 'claude-0.101/v2-raw/07-monitor';
const BYTES = 3_000_000;
const ROUNDS = 40;
const WARM = 10;

const lines = readLines(fileURLToPath(new URL(`../recordings/${RECORDING}.ndjson`, import.meta.url)));
const texts = lines.filter((line) => line.by === 'agent').map(({ line }) => line);
const loops = Math.ceil(BYTES / texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0));
const agent = new LoopedAgent(lines);

let inParse = 0;
const { parse } = JSON;
JSON.parse = (text, reviver) => {
  const from = performance.now();
  try {
    return parse(text, reviver);
  } finally {
    inParse += performance.now() - from;
  }
};

/** One round, in ms. */
interface Round {
  readonly parsing: number;
  readonly outside: number;
}

/** One round of `parseFrame` alone; what is outside of `JSON.parse` are its guards. */
function guarded(): Round {
  inParse = 0;
  const from = performance.now();
  for (let loop = 0; loop < loops; loop += 1) for (const text of texts) parseFrame(text);
  return { parsing: inParse, outside: performance.now() - from - inParse };
}

function played(stage: Through): Round {
  const connections = Array.from({ length: loops }, () => agent.connect(stage));
  inParse = 0;
  const from = performance.now();
  for (const connection of connections) agent.play(connection);
  return { parsing: inParse, outside: performance.now() - from - inParse };
}

// The stages take turns, so that what else the machine does weighs on all of them alike.
const STAGES = ['tap', 'normalise', 'decide'] as const;
const rounds: Record<Through, Round[]> = { tap: [], normalise: [], decide: [] };
const guards: Round[] = [];
for (let round = 0; round < WARM + ROUNDS; round += 1) {
  for (const stage of STAGES) {
    const time = played(stage);
    if (round >= WARM) rounds[stage].push(time);
  }
  const time = guarded();
  if (round >= WARM) guards.push(time);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const [tap, normalise, outside] = STAGES.map((stage) => median(rounds[stage].map((one) => one.outside))) as [
  number,
  number,
  number,
];
const parsing = median(rounds.decide.map((one) => one.parsing));
const whole = median(rounds.decide.map((one) => one.parsing + one.outside));
const guarding = median(guards.map((one) => one.outside));
const ratio = (of: (one: Round) => number) => median(rounds.decide.map(of)).toFixed(2);

const percent = (part: number) => `${((100 * part) / (parsing + outside)).toFixed(0)} %`;
console.log(
  [
    `${RECORDING}: ${loops} times ${texts.length} frames, ${(BYTES / 1e6).toFixed(0)} MB, median of ${ROUNDS} rounds`,
    `frames per second: ${Math.round((1_000 * loops * texts.length) / whole)}`,
    `of the time: JSON.parse ${percent(parsing)}, its guards ${percent(guarding)}, the rest of the tap ${percent(tap - guarding)}, normalise ${percent(normalise - tap)}, decide ${percent(outside - normalise)}`,
    `outside JSON parsing: ${percent(outside - guarding)}, ${ratio((one) => (one.outside - guarding) / (one.parsing + guarding))} times the parsing with its guards (${ratio((one) => one.outside / one.parsing)} times JSON.parse alone)`,
  ].join('\n'),
);
