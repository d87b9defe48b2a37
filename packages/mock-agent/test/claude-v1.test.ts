import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { releaseGate } from '../src/control-client.ts';
import { type Fields, isFields, pick, pickString } from '../src/json.ts';
import { type MockOptions, type MockProcess, startMock } from './mock-process.ts';

const started: MockProcess[] = [];
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mock-gates-'));
});
afterAll(() => Promise.all(started.map((mock) => mock[Symbol.asyncDispose]())));

async function start(dialect = 'claude-v1', options: MockOptions = {}): Promise<MockProcess> {
  const mock = await startMock(dialect, { ...options, env: { MOCK_AGENT_CONTROL_DIR: folder, ...options.env } });
  started.push(mock);
  return mock;
}

const origins = (mock: MockProcess): readonly Fields[] =>
  mock.updates.flatMap((update) => {
    const origin = pick(update, '_meta', '_claude/origin');
    return origin === undefined ? [] : [origin as Fields];
  });
const closing = (mock: MockProcess, kind: string) =>
  mock.update('usage_update', (update) => pick(update, '_meta', '_claude/origin', 'kind') === kind);
const stopReason = (response: Fields) => pickString(response, 'result', 'stopReason');
const gone = (mock: MockProcess, id: number) =>
  mock.frames.some((frame) => frame.id === id && frame.method === undefined);

test('[mock] answers plain text in one message of two chunks', async () => {
  const mock = await start();
  expect(stopReason(await mock.prompt('hello'))).toBe('end_turn');
  const chunks = mock.updates.filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk');
  expect(chunks).toHaveLength(2);
  expect(new Set(chunks.map(({ messageId }) => messageId)).size).toBe(1);
});

test('[mock] says what it expected, and ends the turn', async () => {
  const mock = await start();
  await mock.prompt('/fly away', '/say never');
  expect(mock.text).toContain('Expected a directive');
  expect(mock.text).not.toContain('never');
});

test('[S25] attests a shell by its acknowledgement, and wakes when it ends', async () => {
  const mock = await start();
  await mock.prompt('/shell build until released', '/say started');
  expect(origins(mock)).toEqual([{ kind: 'human' }]);
  await releaseGate(folder, 'build');
  await mock.says('woken by build');
  await closing(mock, 'task-notification');
  expect(origins(mock).at(-1)).toMatchObject({ kind: 'task-notification', runId: expect.any(String) });
});

test('[S29] tells the events of a monitor without a run id, and its end with one', async () => {
  const mock = await start();
  await mock.prompt('/monitor log every 20ms until released');
  await mock.says('event 1 of log');
  await closing(mock, 'task-notification');
  expect(pick(origins(mock).at(1), 'runId')).toBeUndefined();
  await releaseGate(folder, 'log');
  await mock.says('woken by log');
  await mock.until(() => pick(origins(mock).at(-1), 'runId') !== undefined);
});

test('[S60] accepts a second prompt after the boundary, and answers the first one late', async () => {
  const mock = await start();
  const first = mock.prompt('/subagent a until released', '/idle', '/wait until released late');
  await closing(mock, 'human');
  const second = await mock.prompt('/say second');
  expect(stopReason(second)).toBe('end_turn');
  expect(gone(mock, 3)).toBe(false);
  await releaseGate(folder, 'late');
  expect(stopReason(await first)).toBe('end_turn');
  expect(origins(mock)).toEqual([{ kind: 'human' }, { kind: 'human' }]);
});

test('[S60] holds a prompt that ends with the boundary until its work and the wake are over', async () => {
  const mock = await start();
  const first = mock.prompt('/subagent a until released', '/idle');
  await closing(mock, 'human');
  await releaseGate(folder, 'a');
  await first;
  expect(origins(mock).map(({ kind }) => kind)).toEqual(['human', 'task-notification']);
  expect(mock.frames.at(-1)).toMatchObject({ result: { stopReason: 'end_turn' } });
});

test('[S60] drops that hold when another prompt begins', async () => {
  const mock = await start();
  const first = mock.prompt('/subagent a until released', '/idle');
  await closing(mock, 'human');
  await mock.prompt('/say second');
  expect(stopReason(await first)).toBe('end_turn');
});

test('[mock] queues a second prompt without a boundary', async () => {
  const mock = await start();
  const first = mock.prompt('/wait until released go', '/say one');
  const second = mock.prompt('/say two');
  await releaseGate(folder, 'go');
  await Promise.all([first, second]);
  expect(mock.text).toBe('onetwo');
});

test('[mock] keeps a wake until the running turn has ended', async () => {
  const mock = await start();
  const turn = mock.prompt('/shell s until released', '/wait until released go', '/say done');
  await mock.update('tool_call_update', ({ status }) => status === 'completed');
  await releaseGate(folder, 's');
  await releaseGate(folder, 'go');
  await turn;
  await mock.says('woken by s');
  expect(mock.text).toBe('donewoken by s');
});

test('[S65] kills subagents at a cancel and spares shells', async () => {
  const mock = await start();
  const turn = mock.prompt('/subagent a until released', '/shell s until released', '/tool build for 1m');
  await mock.update('tool_call_update', ({ title }) => title === 'build');
  mock.cancel();
  expect(stopReason(await turn)).toBe('cancelled');
  const failed = mock.updates.filter(({ status }) => status === 'failed');
  expect(failed).toHaveLength(2);
  await releaseGate(folder, 'a');
  await releaseGate(folder, 's');
  await mock.says('woken by s');
  await mock.prompt('/end');
  expect(mock.text).not.toContain('woken by a');
});

test('[S65] spares subagents too when the client takes subagents', async () => {
  const mock = await start('claude-v1', { initialize: { clientCapabilities: { subagents: {} } } });
  await mock.prompt('/subagent a until released');
  mock.cancel();
  await releaseGate(folder, 'a');
  await mock.says('woken by a');
});

test('[mock] fails the call of a refused permission', async () => {
  const mock = await start();
  mock.answer = () => ({ outcome: { outcome: 'selected', optionId: 'reject-once' } });
  await mock.prompt('/permission rm');
  const request = await mock.until(({ method }) => method === 'session/request_permission');
  const options = pick(request, 'params', 'options') as readonly Fields[];
  expect(options.map(({ kind }) => kind)).toEqual(['allow_once', 'allow_always', 'reject_once', 'reject_always']);
  expect(mock.updates.filter(({ status }) => status === 'failed')).toHaveLength(1);
});

test('[mock] asks through a form where the client shows forms, and says so where it does not', async () => {
  const without = await start();
  await without.prompt('/ask which one');
  expect(without.text).toContain('Expected a client that advertises form elicitation');
  const mock = await start('claude-v1', { initialize: { clientCapabilities: { elicitation: { form: {} } } } });
  mock.answer = (method) => (method === 'elicitation/create' ? { action: 'accept', content: { answer: 'B' } } : {});
  await mock.prompt('/ask which one');
  expect(mock.text).toContain('answered: B');
});

test('[mock] never tells the end of lost work', async () => {
  const mock = await start();
  await mock.prompt('/shell a until released', '/shell b until released', '/lose a');
  await releaseGate(folder, 'a');
  await releaseGate(folder, 'b');
  await mock.says('woken by b');
  await mock.prompt('/end');
  expect(mock.text).toBe('woken by b');
});

test('[S27] sends the closing frame of duplicated work twice', async () => {
  const mock = await start();
  await mock.prompt('/shell a until released', '/duplicate a');
  await releaseGate(folder, 'a');
  await mock.says('woken by a');
  await mock.prompt('/end');
  const runs = origins(mock).flatMap(({ runId }) => (runId === undefined ? [] : [runId]));
  expect(runs).toHaveLength(2);
  expect(new Set(runs).size).toBe(1);
});

test('[S131] never answers a hung turn, and runs the next prompt after its cancel', async () => {
  const mock = await start();
  void mock.prompt('/say hanging', '/hang');
  await mock.complains('hangs as the script says');
  mock.cancel();
  expect(stopReason(await mock.prompt('/say next'))).toBe('end_turn');
  expect(gone(mock, 3)).toBe(false);
});

test('[mock] exits at once with a code at /crash', async () => {
  const mock = await start();
  void mock.prompt('/say last', '/crash');
  expect(await mock.exited).toBe(70);
  expect(mock.text).toBe('last');
});

test('[mock] replays a recording under its own session', async () => {
  const mock = await start();
  const response = await mock.prompt('/replay recordings/claude-0.101-v1-03-background-bash.ndjson');
  expect(pick(response, 'result', 'usage', 'totalTokens')).toBe(2040);
  await closing(mock, 'task-notification');
  const sessions = mock.frames.flatMap((frame) => pickString(frame, 'params', 'sessionId') ?? []);
  expect(new Set(sessions)).toEqual(new Set([mock.sessionId]));
  await mock.prompt('/replay missing.ndjson');
  expect(mock.text).toContain('Expected /replay FILE');
});

test('[S32] keeps the raw level complete, and idle only when no subagent lives', async () => {
  const mock = await start('claude-v1-raw', { session: { _meta: { claudeCode: { emitRawSDKMessages: true } } } });
  const messages = (): readonly Fields[] =>
    mock.frames.map((frame) => pick(frame, 'params', 'message')).filter(isFields);
  const levels = () => messages().flatMap(({ tasks }) => (Array.isArray(tasks) ? [tasks.length] : []));
  const states = () => messages().flatMap(({ subtype, state }) => (subtype === 'session_state_changed' ? [state] : []));
  await mock.prompt('/subagent a until released', '/shell s until released', '/lose s');
  expect(levels()).toEqual([1, 2]);
  expect(states()).toEqual(['running']);
  await releaseGate(folder, 'a');
  await mock.until(() => states().at(-1) === 'idle');
  // The lost shell stays listed: its end is never told.
  expect(levels()).toEqual([1, 2, 1]);
  const lifecycle = messages().flatMap(({ type, state }) => (type === 'command_lifecycle' ? [state] : []));
  expect(lifecycle).toEqual(['queued', 'started', 'completed']);
});

test('[S23] sends no raw frame to a client that did not ask', async () => {
  const mock = await start('claude-v1-raw');
  await mock.prompt('/shell s for 1ms', '/wait 5ms');
  expect(mock.frames.filter(({ method }) => method === '_claude/sdkMessage')).toEqual([]);
});
