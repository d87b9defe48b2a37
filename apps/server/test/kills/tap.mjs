// Loaded into a mock agent: writes down what reaches it, and may hold one kind of message back, once.
// TAP_LOG: where to write. TAP_HOLD: `up`, or a method that the agent gets and never sees. TAP_HELD: marks that it was held.
import { appendFileSync, closeSync, openSync } from 'node:fs';

const { TAP_LOG, TAP_HOLD, TAP_HELD } = process.env;
const { stdin } = process;
const on = stdin.on.bind(stdin);
let holds = false;

const write = (what, text) =>
  appendFileSync(TAP_LOG, `${JSON.stringify({ pid: process.pid, what, text, at: new Date().toISOString() })}\n`);

function holdsOn(what) {
  if (TAP_HOLD !== what) return false;
  try {
    closeSync(openSync(TAP_HELD, 'wx'));
    return true;
  } catch {
    return false;
  }
}

function see(line) {
  if (line.trim() === '') return;
  const { method, params } = JSON.parse(line);
  if (method === undefined) return;
  holds ||= holdsOn(method);
  write(method, params?.prompt?.[0]?.text);
}

let rest = '';
stdin.on = (name, listener) => {
  if (name !== 'data') return on(name, listener);
  return on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      see(line);
      if (!holds) listener(`${line}\n`);
    }
  });
};

write('up');
holds = holdsOn('up');
