// An agent that takes a prompt and never comes back: it hears neither the end of its input nor SIGTERM.
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const { TAP_LOG } = process.env;

process.on('SIGTERM', () => {});
setInterval(() => {}, 1_000);

const answers = {
  initialize: { protocolVersion: 1, agentCapabilities: {} },
  'session/new': { sessionId: `hung-${process.pid}` },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (TAP_LOG) appendFileSync(TAP_LOG, `${JSON.stringify({ pid: process.pid, what: method })}\n`);
  const result = answers[method];
  if (result !== undefined) process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
});
