// An ACP v2 agent that, once prompted, writes numbered titles at a steady pace; each title is the time it was written.
import { createInterface } from 'node:readline';

const [count, everyMs] = process.argv.slice(2).map(Number);
const send = (frame) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...frame })}\n`);
const update = (body) => send({ method: 'session/update', params: { sessionId: 's', update: body } });

function talk(left) {
  if (left === 0)
    return update({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn', background: [] });
  update({ sessionUpdate: 'session_info_update', title: String(process.hrtime.bigint()) });
  setTimeout(talk, everyMs, left - 1);
}

const answers = {
  initialize: () => ({ protocolVersion: 2, info: { name: 'bench', version: '1' }, capabilities: { session: {} } }),
  'session/new': () => ({ sessionId: 's' }),
  'session/prompt': () => {
    setTimeout(() => {
      update({ sessionUpdate: 'state_update', state: 'running', background: [] });
      talk(count);
    }, 200);
    return { messageId: 'm' };
  },
};

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (id !== undefined && method !== undefined) send({ id, result: answers[method]?.() ?? {} });
  })
  .on('close', () => process.exit(0));
