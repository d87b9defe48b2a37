// An agent that takes a prompt and never comes back: it hears neither the end of its input nor SIGTERM.
import { createInterface } from 'node:readline';

process.on('SIGTERM', () => {});
setInterval(() => {}, 1_000);

const answers = {
  initialize: { protocolVersion: 1, agentCapabilities: {} },
  'session/new': { sessionId: `hung-${process.pid}` },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const result = answers[method];
  if (result !== undefined) process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
});
