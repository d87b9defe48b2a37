import { type ChildProcess, spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import * as v2 from '@agentclientprotocol/sdk/experimental/v2/unstable';
import * as v1 from '@agentclientprotocol/sdk/unstable';
import { expect, inject, test } from 'vitest';

const SCRIPT = [
  '/say hello',
  '/think hm',
  '/plan a; b',
  '/tool build',
  '/permission rm',
  '/ask which one',
  '/shell s for 1ms',
  '/subagent a for 1ms',
  '/subagent f foreground',
  '/monitor m every 1m for 1ms',
  '/wait 20ms',
].join('\n');

const CLIENT = { name: 'test', version: '1' };

/** Starts the agent; returns its streams for the SDK, and counts the updates that really came. */
function startRaw(dialect: string) {
  const child: ChildProcess = spawn(process.execPath, [inject('program')], {
    env: { ...process.env, MOCK_AGENT_DIALECT: dialect },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (child.stdin === null || child.stdout === null) throw new Error('Expected pipes');
  const counted = { updates: 0 };
  let rest = '';
  child.stdout.on('data', (part: Buffer) => {
    const lines = (rest + part.toString()).split('\n');
    rest = lines.pop() ?? '';
    counted.updates += lines.filter((line) => line.includes('"session/update"')).length;
  });
  const output = Writable.toWeb(child.stdin) as WritableStream<Uint8Array>;
  const input = Readable.toWeb(child.stdout) as unknown as ReadableStream<Uint8Array>;
  return { child, counted, output, input };
}

/** Says when the wakes of all detached work were told. */
function wakes() {
  const told = new Set<string>();
  let finish = () => {};
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const hear = (update: object): void => {
    const name = /woken by (\w)/.exec(JSON.stringify(update))?.[1];
    if (name !== undefined) told.add(name);
    if (told.size === 3) finish();
  };
  return { done, hear };
}

const PERMISSION = { outcome: { outcome: 'selected', optionId: 'allow-once' } } as const;
const FORM = { action: 'accept', content: { answer: 'B' } } as const;

test('[mock] is understood frame by frame by the official client of v2', async () => {
  const { child, counted, output, input } = startRaw('acp-v2');
  const { done, hear } = wakes();
  let understood = 0;
  const app = v2
    .client()
    .onRequest('session/request_permission', () => PERMISSION)
    .onRequest('elicitation/create', () => FORM)
    .onNotification('session/update', ({ params }) => {
      understood += 1;
      hear(params);
    });
  await app.connectWith(v2.ndJsonStream(output, input), async (agent) => {
    const capabilities = { elicitation: { form: {} } };
    await agent.request('initialize', { protocolVersion: 2, info: CLIENT, capabilities });
    const { sessionId } = await agent.request('session/new', { cwd: '/', mcpServers: [] });
    await agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: SCRIPT }] });
    await done;
    await agent.request('session/close', { sessionId });
  });
  child.kill();
  expect(understood).toBeGreaterThan(40);
  expect(understood).toBe(counted.updates);
});

test.each(['claude-v1', 'claude-v1-raw', 'hermes', 'generic'])(
  '[mock] is understood frame by frame by the official client of v1: %s',
  async (dialect) => {
    const { child, counted, output, input } = startRaw(dialect);
    const { done, hear } = wakes();
    let understood = 0;
    const app = v1
      .client()
      .onRequest('session/request_permission', () => PERMISSION)
      .onRequest('elicitation/create', () => FORM)
      .onNotification('session/update', ({ params }) => {
        understood += 1;
        hear(params);
      });
    await app.connectWith(v1.ndJsonStream(output, input), async (agent) => {
      const clientCapabilities = { elicitation: { form: {} } };
      await agent.request('initialize', { protocolVersion: 1, clientInfo: CLIENT, clientCapabilities });
      const { sessionId } = await agent.request('session/new', { cwd: '/', mcpServers: [] });
      const prompt = [{ type: 'text' as const, text: SCRIPT }];
      expect(await agent.request('session/prompt', { sessionId, prompt })).toMatchObject({ stopReason: 'end_turn' });
      await done;
      await agent.request('session/close', { sessionId });
    });
    child.kill();
    expect(understood).toBeGreaterThan(15);
    expect(understood).toBe(counted.updates);
  },
);
