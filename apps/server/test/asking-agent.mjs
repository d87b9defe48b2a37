// An agent that asks what its prompt says: `form`, `url` or `permission`, one a line; then says how each was answered.
import { createInterface } from 'node:readline';

const send = (frame) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...frame })}\n`);
const sessionId = 'asking';
const waits = new Map();
let prompted = null;
let told = [];

const FORM = {
  type: 'object',
  properties: { name: { type: 'string', title: 'Name' }, sure: { type: 'boolean' } },
  required: ['name'],
};
const QUESTIONS = {
  form: { method: 'elicitation/create', params: { mode: 'form', message: 'Who are you?', requestedSchema: FORM } },
  url: {
    method: 'elicitation/create',
    params: { mode: 'url', message: 'Sign in', url: 'https://example.org/sign-in', elicitationId: 'e1' },
  },
  permission: {
    method: 'session/request_permission',
    params: {
      toolCall: { toolCallId: 't', title: 'Push to main' },
      options: [
        { optionId: 'y', name: 'Yes', kind: 'allow_once' },
        { optionId: 'n', name: 'No', kind: 'reject_once' },
      ],
    },
  },
};

function finish(stopReason) {
  const content = { type: 'text', text: told.join(' ') };
  send({ method: 'session/update', params: { sessionId, update: { sessionUpdate: 'agent_message_chunk', content } } });
  send({ id: prompted, result: { stopReason } });
}

function prompt(id, text) {
  [prompted, told] = [id, []];
  for (const [index, what] of text.split('\n').entries()) {
    const { method, params } = QUESTIONS[what];
    waits.set(`q${index}`, what);
    send({ id: `q${index}`, method, params: { sessionId, ...params } });
  }
}

function answered(id, answer) {
  told.push(`${waits.get(id)}=${JSON.stringify(answer)}`);
  waits.delete(id);
  if (waits.size === 0) finish('end_turn');
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result, error } = JSON.parse(line);
  if (method === 'initialize') send({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
  else if (method === 'session/new') send({ id, result: { sessionId } });
  else if (method === 'session/prompt') prompt(id, params.prompt[0].text);
  else if (method === undefined && waits.has(id)) answered(id, result ?? error);
});
