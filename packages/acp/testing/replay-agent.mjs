#!/usr/bin/env node
// An ACP agent on stdio that plays a recording (NDJSON of {t, dir, frame}).
//
//   node replay-agent.mjs RECORDING [--speed N] [--part K|next --state FILE]
//
// Agent frames go out in their recorded order, N times as fast as recorded (0: without delays). At a frame of the client
// it waits for one of the same method and the same session; ids are mapped. What the recording does not hold is refused.
// Part K is what the K-th process of the recording said; `next` plays the part after the one that FILE names, and the last
// from then on. The end is as recorded: by exit code, by signal, or by staying until the client closes.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const OPTIONAL = new Set(['authenticate', 'session/list']);
const NAMES = ['sessionId', 'terminalId', 'toolCallId'];

function fail(why) {
  process.stderr.write(`replay-agent: ${why}\n`);
  process.exit(2);
}

function settings(argv) {
  const options = { file: null, speed: '1', part: '1', state: null };
  const rest = [...argv];
  while (rest.length > 0) {
    const word = rest.shift();
    if (word === '--speed' || word === '--part' || word === '--state') options[word.slice(2)] = rest.shift();
    else options.file = word;
  }
  if (!options.file) fail('usage: replay-agent.mjs RECORDING [--speed N] [--part K|next --state FILE]');
  const speed = Number(options.speed);
  if (!(speed >= 0)) fail('--speed wants a number, 0 or more');
  return { ...options, speed };
}

const noteOf = (entry) => (entry.dir === 'meta' ? (entry.frame.note ?? '') : '');
const isClose = (entry) => /^(client closes stdin|bridge restart: stdin closed)/.test(noteOf(entry));
const isEnd = (entry) => /^(kill -9 bridge|bridge process exit)/.test(noteOf(entry));

function readParts(file) {
  const parts = [];
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '') continue;
    const entry = JSON.parse(line);
    const part = parts.at(-1);
    const begins = /^spawn\b/.test(noteOf(entry)) && part?.some((one) => one.dir !== 'meta');
    if (!part || begins || entry.t < part.at(-1).t) parts.push([entry]);
    else part.push(entry);
  }
  return parts;
}

function choosePart({ file, part, state }) {
  const parts = readParts(file);
  if (part !== 'next') return parts[Number(part) - 1] ?? fail(`the recording has ${parts.length} parts`);
  if (!state) fail('--part next needs --state FILE');
  const played = existsSync(state) ? Number(readFileSync(state, 'utf8')) : 0;
  const next = Math.min(played + 1, parts.length);
  writeFileSync(state, String(next));
  return parts[next - 1];
}

const options = settings(process.argv.slice(2));
const entries = choosePart(options);
const inbox = [];
const ids = new Map();
let closed = false;
let cursor = 0;
let wake = () => {};
const changed = () =>
  new Promise((resolve) => {
    wake = resolve;
  });

const send = (frame) => process.stdout.write(`${JSON.stringify(frame)}\n`);
process.stdout.on('error', () => process.exit(0));

/** A live frame may stand for a recorded one. */
function fits(live, recorded) {
  if (!recorded.method) return !live.method && live.id === recorded.id;
  if (live.method !== recorded.method) return false;
  return NAMES.every((name) => {
    const [said, meant] = [live.params?.[name], recorded.params?.[name]];
    return said === undefined || meant === undefined || said === meant;
  });
}

const isOurs = (entry) => entry.dir === 'client->agent';
const answerTo = (recorded) =>
  entries.find(
    (entry) => !isOurs(entry) && entry.dir !== 'meta' && !entry.frame.method && entry.frame.id === recorded.frame.id,
  );

function receive(line) {
  let live;
  try {
    live = JSON.parse(line);
  } catch {
    return;
  }
  const places = entries.slice(cursor).filter((entry) => isOurs(entry) && fits(live, entry.frame)).length;
  const taken = inbox.filter((frame) => fits(frame, live)).length;
  if (places > taken) {
    inbox.push(live);
    wake();
  } else if (live.method && live.id !== undefined) refuse(live);
}

function refuse(live) {
  const recorded = entries.find((entry) => isOurs(entry) && entry.frame.method === live.method);
  const again =
    recorded && (OPTIONAL.has(live.method) || live.method === 'initialize') ? answerTo(recorded) : undefined;
  if (again) return send({ ...again.frame, id: live.id });
  const error = recorded
    ? { code: -32603, message: `no further ${live.method} in this recording` }
    : { code: -32601, message: `not in this recording: ${live.method}` };
  send({ jsonrpc: '2.0', id: live.id, error });
}

createInterface({ input: process.stdin })
  .on('line', receive)
  .on('close', () => {
    closed = true;
    wake();
  });

let anchor = { recorded: entries[0]?.t ?? 0, live: performance.now() };

async function until(t) {
  const due = options.speed === 0 ? 0 : anchor.live + (t - anchor.recorded) / options.speed;
  for (let left = due - performance.now(); left > 0 && !closed; left = due - performance.now()) {
    await Promise.race([changed(), new Promise((resolve) => setTimeout(resolve, left))]);
  }
}

async function take(recorded) {
  for (;;) {
    const at = inbox.findIndex((live) => fits(live, recorded));
    if (at >= 0) return inbox.splice(at, 1)[0];
    const passed = OPTIONAL.has(recorded.method) && inbox.length > 0;
    if (closed || passed) return null;
    await changed();
  }
}

function end(frame) {
  if (frame.signal || frame.code === undefined || frame.code === null)
    process.kill(process.pid, frame.signal ?? 'SIGKILL');
  else process.exit(frame.code);
}

async function play(entry) {
  await until(entry.t);
  if (closed) return;
  const { frame } = entry;
  if (frame.method) send(frame);
  else if (ids.has(frame.id)) send({ ...frame, id: ids.get(frame.id) });
}

for (; cursor < entries.length && !closed; cursor += 1) {
  const entry = entries[cursor];
  if (isClose(entry)) break;
  if (isEnd(entry)) {
    await until(entry.t);
    end(entries.slice(cursor).find((one) => /^bridge process exit/.test(noteOf(one)))?.frame ?? entry.frame);
  }
  if (entry.dir === 'agent->client') await play(entry);
  if (!isOurs(entry)) continue;
  const live = await take(entry.frame);
  if (live?.method && live.id !== undefined) ids.set(entry.frame.id, live.id);
  anchor = { recorded: entry.t, live: performance.now() };
}
cursor = entries.length;
for (const live of inbox.splice(0)) if (live.method && live.id !== undefined) refuse(live);
while (!closed) await changed();
process.exit(entries.find((entry) => /^bridge process exit/.test(noteOf(entry)))?.frame.code ?? 0);
