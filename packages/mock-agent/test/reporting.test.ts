import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { releaseGate } from '../src/control-client.ts';
import { type Fields, pick, pickString } from '../src/json.ts';
import { type MockOptions, type MockProcess, startMock } from './mock-process.ts';

const started: MockProcess[] = [];
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mock-gates-'));
});
afterAll(() => Promise.all(started.map((mock) => mock[Symbol.asyncDispose]())));

async function start(dialect: string, options: MockOptions = {}): Promise<MockProcess> {
  const mock = await startMock(dialect, { ...options, env: { MOCK_AGENT_CONTROL_DIR: folder } });
  started.push(mock);
  return mock;
}

const optedIn = (value: unknown, name = 'hermes-agent'): MockOptions => ({
  initialize: { clientCapabilities: { _meta: { [name]: { stateUpdate: value as number } } } },
});

/** The states of the root session, each with what it lists. */
const states = (mock: MockProcess): readonly (readonly [unknown, readonly string[]])[] =>
  mock.frames
    .filter((frame) => pick(frame, 'params', 'sessionId') === mock.sessionId)
    .flatMap((frame): Fields[] => {
      if (frame.method === '_hermes-agent/state_update') return [frame.params as Fields];
      const update = pick(frame, 'params', 'update') as Fields | undefined;
      return update?.sessionUpdate === 'state_update' ? [update] : [];
    })
    .map(({ state, stopReason, background }) => [
      stopReason ?? state,
      (background as readonly Fields[]).map(({ type, status }) => `${status ?? type}`),
    ]);

const rest = (mock: MockProcess, state: string, listed: readonly string[]) =>
  mock.until(() => JSON.stringify(states(mock).at(-1)) === JSON.stringify([state, listed]));

test('[S32] lists every kind of detached work on each state, a monitor by its call', async () => {
  const mock = await start('acp-v2');
  await mock.prompt('/shell s until released', '/subagent a until released', '/monitor m every 1m');
  await rest(mock, 'end_turn', ['terminal', 'subagent', 'tool_call']);
  await releaseGate(folder, 's');
  await mock.says('woken by s');
  await rest(mock, 'end_turn', ['subagent', 'tool_call']);
  await releaseGate(folder, 'a');
  await releaseGate(folder, 'm');
  await rest(mock, 'end_turn', []);
  const ended = mock.updates.filter(({ capabilities }) => capabilities === null);
  expect(ended.map(({ sessionUpdate }) => sessionUpdate)).toEqual(['terminal_update', 'tool_call_update']);
});

test('[S30] lists no foreground subagent', async () => {
  const mock = await start('acp-v2');
  await mock.prompt('/subagent f for 5ms foreground', '/say done');
  await rest(mock, 'end_turn', []);
  expect(states(mock).every(([, listed]) => listed.length === 0)).toBe(true);
  expect(mock.updates.filter(({ sessionUpdate }) => sessionUpdate === 'subagent_update')).toHaveLength(2);
});

test('[S65] keeps background work alive at a cancel of the turn', async () => {
  const mock = await start('acp-v2');
  await mock.prompt('/shell s until released', '/subagent a until released', '/tool build for 1m');
  await mock.update('tool_call_update', ({ title }) => title === 'build');
  mock.cancel();
  await rest(mock, 'cancelled', ['terminal', 'subagent']);
});

test('[S131] stops one shell and one subagent where the protocol can', async () => {
  const mock = await start('acp-v2');
  await mock.prompt('/shell s until released', '/subagent a until released');
  await rest(mock, 'end_turn', ['terminal', 'subagent']);
  const terminalId = (await mock.update('terminal_update')).params as Fields;
  const stop = { sessionId: mock.sessionId, terminalId: pickString(terminalId, 'update', 'terminalId') };
  expect(await mock.request('terminal/cancel', stop)).toMatchObject({ result: {} });
  expect(await mock.request('terminal/cancel', stop)).toMatchObject({ error: { code: -32602 } });
  await rest(mock, 'idle', ['subagent']);
  const child = await mock.update('subagent_update');
  mock.cancel(pickString(child, 'params', 'update', 'sessionId'));
  await mock.says('woken by a');
  await rest(mock, 'end_turn', []);
});

test('[S55] holds a second prompt back until the first is idle, and refuses it when the turn is cancelled', async () => {
  const mock = await start('acp-v2');
  await mock.prompt('/wait until released go');
  const second = mock.prompt('/say two');
  mock.cancel();
  expect(await second).toMatchObject({ error: { code: -32800 } });
});

test('[S9] waits for its user with requires_action', async () => {
  const mock = await start('acp-v2');
  await mock.prompt('/permission rm');
  await rest(mock, 'end_turn', []);
  expect(states(mock).map(([state]) => state)).toEqual(['running', 'requires_action', 'running', 'end_turn']);
});

test('[S33] keeps a lost shell listed, and tells a duplicated end twice', async () => {
  const mock = await start('acp-v2');
  await mock.prompt('/shell a until released', '/shell b until released', '/lose a', '/duplicate b');
  await rest(mock, 'end_turn', ['terminal', 'terminal']);
  await releaseGate(folder, 'a');
  await releaseGate(folder, 'b');
  await mock.says('woken by b');
  await rest(mock, 'end_turn', ['terminal']);
  expect(mock.updates.filter(({ exitStatus }) => exitStatus !== undefined)).toHaveLength(2);
});

test('[S7] speaks after the boundary only as running again', async () => {
  const mock = await start('acp-v2');
  await mock.prompt('/say one', '/idle', '/say two');
  await mock.says('two');
  await rest(mock, 'end_turn', []);
  expect(states(mock).map(([state]) => state)).toEqual(['running', 'end_turn', 'running', 'end_turn']);
});

test.each([
  ['nothing', {}, 0],
  ['an integer', optedIn(1), 2],
  ['the alias', optedIn(2, 'bb.dev'), 2],
  ['a string', optedIn('1'), 0],
  ['a boolean', optedIn(true), 0],
  ['a fraction', optedIn(1.5), 0],
  ['zero', optedIn(0), 0],
])('[S124] reports to a client that declared %s', async (_what, options, count) => {
  const mock = await start('hermes', options);
  await mock.prompt('/say hi');
  expect(states(mock)).toHaveLength(count);
});

test('[S125] keeps a finished process listed until the wake that reports it has settled', async () => {
  const mock = await start('hermes', optedIn(1));
  await mock.prompt('/shell s until released exit 1');
  await releaseGate(folder, 's');
  await mock.says('woken by s');
  await rest(mock, 'end_turn', []);
  expect(states(mock)).toEqual([
    ['running', []],
    ['running', ['running']],
    ['end_turn', ['running']],
    ['idle', ['failed']],
    ['running', ['failed']],
    ['end_turn', []],
  ]);
  const reports = mock.frames.filter(({ method }) => method === '_hermes-agent/state_update');
  const runs = reports.flatMap((frame) => pickString(frame, 'params', '_meta', 'runId') ?? []);
  expect(new Set(runs).size).toBe(2);
  expect(reports.map((frame) => pick(frame, 'params', 'background', '0'))).toBeDefined();
});

test('[S78] reports idle at the boundary while the prompt is still open', async () => {
  const mock = await start('hermes', optedIn(1));
  const turn = mock.prompt('/idle', '/wait until released go');
  await rest(mock, 'end_turn', []);
  expect(mock.frames.some((frame) => pick(frame, 'result', 'stopReason') !== undefined)).toBe(false);
  await releaseGate(folder, 'go');
  await turn;
});

test('[S27] sends the terminal of duplicated work twice over the roster', async () => {
  const mock = await start('hermes', optedIn(1));
  await mock.prompt('/shell s until released', '/duplicate s');
  await releaseGate(folder, 's');
  await mock.says('woken by s');
  expect(states(mock).filter(([state, [status]]) => state === 'idle' && status === 'completed')).toHaveLength(2);
});

test('[S24] attests nothing in the generic dialect, nor in v2 for a client of v1', async () => {
  const v1 = { protocolVersion: 1, clientCapabilities: {} };
  for (const mock of [await start('generic'), await start('acp-v2', { initialize: v1 })]) {
    await mock.prompt('/shell s until released', '/subagent a for 1ms foreground', '/idle');
    await releaseGate(folder, 's');
    await mock.says('woken by s');
    expect(JSON.stringify(mock.frames)).not.toMatch(/_meta|state_update|subagent_update/);
  }
});
