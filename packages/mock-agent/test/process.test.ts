import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { readMockStates, releaseGate } from '../src/control-client.ts';
import { type Fields, pick } from '../src/json.ts';
import { mockAgentPath } from '../src/mock-agent-path.ts';
import { MockProcess, startMock } from './mock-process.ts';

const started: MockProcess[] = [];
const keep = (mock: MockProcess): MockProcess => {
  started.push(mock);
  return mock;
};
afterEach(() => Promise.all(started.splice(0).map((mock) => mock[Symbol.asyncDispose]())));

// What comes between the lines of a history and tells nothing of them.
const ASIDE: readonly unknown[] = ['tool_call_update', 'available_commands_update'];

const folder = (): string => mkdtempSync(join(tmpdir(), 'mock-'));

/** The port that a process with `MOCK_AGENT_CONTROL_PORT=0` printed. */
async function controlPort(mock: MockProcess): Promise<number> {
  await mock.complains('"control"');
  return Number(/"control":(\d+)/.exec(mock.stderr)?.[1]);
}

test('[mock] answers what it cannot read or does not know', async () => {
  const mock = keep(new MockProcess('claude-v1'));
  mock.write('{"jsonrpc": oops');
  expect(await mock.until(({ id }) => id === null)).toMatchObject({ error: { code: -32700 } });
  expect(await mock.request('session/fly', {})).toMatchObject({ error: { code: -32601 } });
  expect(await mock.request('session/new', {})).toMatchObject({ error: { code: -32600 } });
  await mock.request('initialize', { protocolVersion: 1 });
  for (const method of ['session/load', 'session/resume', 'session/prompt', 'session/close']) {
    const response = await mock.request(method, { sessionId: 'nobody-knows-it', cwd: '/', prompt: [] });
    expect(response).toMatchObject({ error: { code: -32002, message: 'Resource not found' } });
  }
});

test('[mock] exits when its input ends, whatever runs', async () => {
  const mock = await startMock('claude-v1');
  void mock.prompt('/shell s for 1m', '/monitor m every 1m', '/say on', '/wait 1m');
  await mock.says('on');
  await mock[Symbol.asyncDispose]();
  expect(await mock.exited).toBe(0);
});

test('[mock] runs from its sources as well', async () => {
  const mock = keep(new MockProcess('generic', {}, ['--import', 'tsx', 'src/main.ts']));
  expect(await mock.request('initialize', { protocolVersion: 1 })).toMatchObject({ result: { protocolVersion: 1 } });
});

test('[mock] tells where its program is, or to build it', () => {
  let path: string;
  try {
    path = mockAgentPath();
  } catch (error) {
    path = String(error);
  }
  expect(path).toMatch(/mock-agent\/dist\/main\.mjs$|mock-agent build$/);
});

test('[mock] refuses a dialect that it does not speak', async () => {
  const mock = keep(new MockProcess('latin'));
  await mock.complains('expected MOCK_AGENT_DIALECT to be one of claude-v1');
  expect(await mock.exited).toBe(64);
});

test.each(['claude-v1', 'claude-v1-raw', 'hermes', 'generic'])(
  '[S46] replays the history before the answer of a load: %s',
  async (dialect) => {
    const env = { MOCK_AGENT_STATE_DIR: folder() };
    const first = keep(await startMock(dialect, { env }));
    await first.prompt('/think hm', '/say hello', '/tool build');
    const second = keep(await startMock(dialect, { env }));
    const before = second.frames.length;
    const load = { sessionId: first.sessionId, cwd: '/', mcpServers: [] };
    const response = await second.request('session/load', load);
    const kinds = second.frames.slice(before).map((frame) => pick(frame, 'params', 'update', 'sessionUpdate'));
    expect(kinds.filter((kind) => kind !== undefined && !ASIDE.includes(kind))).toEqual([
      'user_message_chunk',
      'agent_thought_chunk',
      'agent_message_chunk',
      'tool_call',
    ]);
    expect(response).toMatchObject({ result: { sessionId: first.sessionId } });
    expect(second.frames.at(-1)).toBe(response);
    expect(await second.request('session/list', {})).toMatchObject({ result: { sessions: expect.any(Array) } });
  },
);

test('[S46] resumes over v2 with the state before the answer, and replays on request', async () => {
  const mock = keep(await startMock('acp-v2'));
  await mock.prompt('/say hello');
  await mock.says('hello');
  await mock.request('session/close', { sessionId: mock.sessionId });
  const before = mock.frames.length;
  await mock.request('session/resume', { sessionId: mock.sessionId, cwd: '/', replayFrom: { type: 'start' } });
  const kinds = mock.frames.slice(before).map((frame) => pick(frame, 'params', 'update', 'sessionUpdate'));
  expect(kinds).toEqual(['user_message', 'agent_message_chunk', 'state_update', undefined]);
});

test('[mock] prints the port that it chose, and shows what waits', async () => {
  const mock = keep(await startMock('claude-v1', { env: { MOCK_AGENT_CONTROL_PORT: '0' } }));
  const port = await controlPort(mock);
  const turn = mock.prompt('/shell s until released', '/say on', '/wait until released go');
  await mock.says('on');
  const [state] = await readMockStates(port);
  expect(state).toMatchObject({ dialect: 'claude-v1', work: [{ name: 's' }], turns: [{ origin: 'human' }] });
  expect(await releaseGate(port, 'later')).toBe(0);
  await releaseGate(port, 'go');
  await turn;
  await mock.prompt('/wait until released later', '/say went on');
  expect(mock.text).toContain('went on');
});

test('[mock] shares one port among processes, and hands it over when the leader ends', async () => {
  const probe = await startMock('claude-v1', { env: { MOCK_AGENT_CONTROL_PORT: '0' } });
  const port = await controlPort(probe);
  await probe[Symbol.asyncDispose]();
  const env = { MOCK_AGENT_CONTROL_PORT: `${port}` };
  const leader = keep(await startMock('claude-v1', { env }));
  await leader.prompt('/shell mine until released');
  const follower = keep(await startMock('hermes', { env }));
  const first = follower.prompt('/wait until released one');
  await releaseGate(port, 'one');
  await first;
  const second = follower.prompt('/say two', '/wait until released two');
  await follower.says('two');
  const [state] = await readMockStates(port);
  expect((pick(state, 'followers') as readonly Fields[]).map(({ dialect }) => dialect)).toEqual(['hermes']);
  await leader[Symbol.asyncDispose]();
  // The follower takes the port over: until then nobody answers there.
  for (let led = false; !led; ) led = (await readMockStates(port)).length > 0;
  await releaseGate(port, 'two');
  await second;
});

test('[mock] goes on without a port that something else holds', async () => {
  const { createServer } = await import('node:http');
  const other = createServer((_request, response) => response.end('hello'));
  await new Promise<void>((resolve) => {
    other.listen(0, '127.0.0.1', () => resolve());
  });
  const address = other.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const mock = keep(await startMock('claude-v1', { env: { MOCK_AGENT_CONTROL_PORT: `${port}` } }));
  await mock.complains(`expected control port ${port} to be free`);
  await mock.prompt('/say hi', '/wait 1ms');
  expect(mock.text).toBe('hi');
  other.closeAllConnections();
  other.close();
});

test('[mock] releases over a folder whichever process waits, and keeps an early release for one', async () => {
  const shared = folder();
  const env = { MOCK_AGENT_CONTROL_DIR: shared };
  expect(await releaseGate(shared, 'early')).toBe(0);
  const [one, two] = [keep(await startMock('claude-v1', { env })), keep(await startMock('generic', { env }))];
  await one.prompt('/wait until released early', '/say early');
  const turn = two.prompt('/say on', '/wait until released go');
  await two.says('on');
  await releaseGate(shared, 'go');
  await turn;
  expect((await readMockStates(shared)).map(({ dialect }) => dialect).sort()).toEqual(['claude-v1', 'generic']);
});

test('[mock] refuses a call from a web page', async () => {
  const mock = keep(await startMock('claude-v1', { env: { MOCK_AGENT_CONTROL_PORT: '0' } }));
  const port = await controlPort(mock);
  const response = await fetch(`http://127.0.0.1:${port}/state`, { headers: { origin: 'http://example.test' } });
  expect(response.status).toBe(403);
});
