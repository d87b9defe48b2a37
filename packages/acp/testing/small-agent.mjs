#!/usr/bin/env node
// A tiny ACP agent for tests of processes and handshakes. Flags, in any number:
//   --v2             speaks ACP v2 (default: v1)
//   --refuse-v2      answers an error to protocol version 2
//   --silent         says nothing at all
//   --die            writes to stderr and exits with code 3
//   --resume, --load advertises that way to have a conversation again; `known` is the only session it knows
//   --huge           answers a prompt by a line beyond all limits
//   --noise          writes lines that are no frames before its answers
//   --ask            asks for a permission during a prompt, and says how it was answered
//   --ask-much       asks for a hundred permissions at once, says what refused the first that was, and ends the turn
//   --fail           says hello, then answers the prompt with an error that is no object
//   --orphan FILE    leaves a child that leads its own session, deaf to SIGTERM, and writes its pid to FILE
//   --deaf           ignores the end of its input and SIGTERM
//   --busy           refuses prompts as busy
import { spawn } from 'node:child_process';
import { closeSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const flags = new Set(process.argv.slice(2));
const has = (flag) => flags.has(flag);
const send = (frame) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...frame })}\n`);
const update = (sessionId, body) => send({ method: 'session/update', params: { sessionId, update: body } });
const say = (sessionId, text) =>
  update(sessionId, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
const refuse = (id, error) => send({ id, error });

if (has('--die')) {
  process.stderr.write(`cannot go on with ${process.env.SOME_API_KEY}\n`);
  process.exit(3);
}
if (has('--holds-stdout')) {
  // A child keeps the pipe open: the exit comes before the end of the output.
  spawn('sleep', ['30'], { stdio: ['ignore', 'inherit', 'ignore'] });
}
if (has('--deaf')) process.on('SIGTERM', () => {});
if (has('--orphan')) {
  const deaf = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)";
  const child = spawn(process.execPath, ['-e', deaf], { detached: true, stdio: 'ignore' });
  writeFileSync(process.argv[process.argv.indexOf('--orphan') + 1], String(child.pid));
}

if (has('--binary')) {
  // As Claude behind its bridge: a process of its own, which starts a shell that leads its own session.
  const file = process.argv[process.argv.indexOf('--binary') + 1];
  const code = `
    const shell = require('node:child_process').spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
    require('node:fs').writeFileSync(${JSON.stringify(file)}, process.pid + ' ' + shell.pid);
    setInterval(() => {}, 1000);`;
  const claude = ['--output-format', 'stream-json', '--input-format', 'stream-json'];
  spawn(process.execPath, ['-e', code, '--', ...claude], { stdio: 'ignore' });
}

let asked = null;

function initialize(id, params) {
  if (params.protocolVersion === 2 && has('--refuse-v2'))
    return refuse(id, { code: -32602, message: 'Invalid params' });
  if (has('--v2')) return send({ id, result: { protocolVersion: 2, info: { name: 'small' }, capabilities: {} } });
  const agentCapabilities = { loadSession: has('--load'), sessionCapabilities: has('--resume') ? { resume: {} } : {} };
  send({ id, result: { protocolVersion: 1, agentCapabilities } });
}

function again(id, params) {
  if (params.sessionId !== 'known') return refuse(id, { code: -32002, message: 'Resource not found' });
  update('known', { sessionUpdate: 'user_message_chunk', messageId: 'u', content: { type: 'text', text: 'earlier' } });
  for (const text of ['once ', 'upon']) {
    update('known', { sessionUpdate: 'agent_message_chunk', messageId: 'm', content: { type: 'text', text } });
  }
  update('known', { sessionUpdate: 'tool_call', toolCallId: 'old', title: 'old', status: 'completed' });
  if (has('--v2')) update('known', { sessionUpdate: 'state_update', state: 'idle', background: [] });
  send({ id, result: {} });
}

/** Lists one item of each kind that can be stopped. */
function work(id, sessionId) {
  const cancel = { capabilities: { cancel: {} } };
  const background = [
    { type: 'terminal', terminalId: 't' },
    { type: 'tool_call', toolCallId: 'x' },
    { type: 'subagent', sessionId: 'kid' },
  ];
  update(sessionId, { sessionUpdate: 'terminal_update', terminalId: 't', command: 'sleep', ...cancel });
  update(sessionId, { sessionUpdate: 'tool_call', toolCallId: 'x', title: 'watch', ...cancel });
  update(sessionId, { sessionUpdate: 'state_update', state: 'running', background });
  update(sessionId, { sessionUpdate: 'subagent_update', sessionId: 'kid', state: { state: 'running' }, ...cancel });
  send({ id, result: { messageId: 'm' } });
  update(sessionId, { sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn', background });
}

/** All that must neither kill a client nor make it believe anything. */
function hostile(id, sessionId) {
  const raw = (line) => process.stdout.write(`${line}\n`);
  raw(`${'{"a":'.repeat(400)}1${'}'.repeat(400)}`);
  raw('[{"jsonrpc":"2.0","method":"session/update"}]');
  raw('no frame');
  raw('{"jsonrpc":"2.0","method":"session/update","params":{"sessionId"');
  process.stdout.write(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d, 0x0a]));
  send({ id: {}, method: 'session/request_permission', params: { sessionId } });
  send({ id: 4, method: 'session/request_permission', params: 7 });
  send({ id: 5, method: 'no/such/method', params: { sessionId } });
  const options = [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }];
  const question = { sessionId, toolCall: { toolCallId: 't', title: 'touch' }, options };
  for (let time = 0; time < 2; time += 1) send({ id: 6, method: 'session/request_permission', params: question });
  for (const answer of [String(id), 999, null]) send({ id: answer, result: { stopReason: 'end_turn' } });
  raw('{"jsonrpc":"2.0","method":"session/update","params":{"__proto__":{"sessionId":"made"}}}');
  update(sessionId, { sessionUpdate: '__proto__' });
  update(sessionId, { sessionUpdate: 7, content: [] });
  update(sessionId, { sessionUpdate: 'agent_message_chunk', content: 'text' });
  send({ method: 'no/such/notification', params: null });
  say(sessionId, 'alive');
  send({ id, result: { stopReason: 'end_turn' } });
}

/** The ways to end instead of an answer. */
function dies() {
  if (has('--holds-stdout')) process.exit(7);
  if (has('--closes-stdout')) {
    closeSync(1);
    setInterval(() => {}, 1000);
    return true;
  }
  if (has('--half-line')) {
    process.stdout.write('{"jsonrpc":"2.0","method":"session/update","params":{"sess');
    setTimeout(() => process.exit(0), 50);
    return true;
  }
  return false;
}

function prompt(id, params) {
  const { sessionId } = params;
  if (has('--busy'))
    return refuse(id, { code: -32000, message: 'Another prompt is running', data: { reason: 'busy' } });
  if (has('--huge')) {
    process.stdout.write(`{"jsonrpc":"2.0","x":"${'x'.repeat(17 * 1024 * 1024)}"}\n`);
    say(sessionId, 'after');
    return send({ id, result: { stopReason: 'end_turn' } });
  }
  if (has('--flood')) {
    const count = Number(process.argv[process.argv.indexOf('--flood') + 1]);
    for (let nth = 0; nth < count; nth += 1) say(sessionId, `${nth} `);
    return send({ id, result: { stopReason: 'end_turn' } });
  }
  if (dies()) return;
  if (has('--work')) return work(id, sessionId);
  if (has('--hostile')) return hostile(id, sessionId);
  if (has('--empty-answer')) {
    say(sessionId, 'hello');
    return send({ id });
  }
  if (has('--fail')) {
    say(sessionId, 'hello');
    return send({ id, error: 'out of credit' });
  }
  if (has('--ask-much')) {
    asked = ({ code }) => {
      asked = null;
      say(sessionId, String(code));
      send({ id, result: { stopReason: 'end_turn' } });
    };
    for (let id = 0; id < 100; id += 1) {
      const toolCall = { toolCallId: `t${id}`, title: 'touch' };
      send({
        id,
        method: 'session/request_permission',
        params: { sessionId, toolCall, options: [{ optionId: 'y', name: 'Yes' }] },
      });
    }
    return;
  }
  if (has('--ask')) {
    const options = [
      { optionId: 'y', name: 'Yes', kind: 'allow_once' },
      { optionId: 'n', name: 'No', kind: 'reject_once' },
    ];
    send({
      id: 0,
      method: 'session/request_permission',
      params: { sessionId, toolCall: { toolCallId: 't', title: 'touch' }, options },
    });
    asked = (outcome) => {
      say(sessionId, JSON.stringify(outcome));
      send({ id, result: { stopReason: 'end_turn' } });
    };
    return;
  }
  send({ id: 7, method: 'fs/read_text_file', params: { sessionId, path: '/etc/passwd' } });
  say(sessionId, 'hello');
  asked = (error) => {
    say(sessionId, ` ${error.code}`);
    send({ id, result: { stopReason: 'end_turn' } });
  };
}

const stopped = (id, params) => {
  if (params.terminalId === 't' || params.toolCallId === 'x') send({ id, result: {} });
  else refuse(id, { code: -32602, message: 'not running' });
};

const HANDLERS = {
  'terminal/cancel': stopped,
  'tool_call/cancel': stopped,
  'session/cancel': (_, { sessionId }) => update(sessionId, { sessionUpdate: 'state_update', state: 'idle' }),
  initialize,
  'session/new': (id) => send({ id, result: { sessionId: 'made' } }),
  'session/load': again,
  'session/resume': again,
  'session/prompt': prompt,
};

if (has('--noise')) process.stdout.write('starting up…\n[1,2]\n{"broken\n');
createInterface({ input: process.stdin })
  .on('line', (line) => {
    if (has('--silent')) return;
    const frame = JSON.parse(line);
    if (frame.method) HANDLERS[frame.method]?.(frame.id, frame.params);
    else asked?.(frame.error ?? frame.result.outcome);
  })
  .on('close', () => {
    if (has('--deaf')) setInterval(() => {}, 1000);
    else process.exit(0);
  });
