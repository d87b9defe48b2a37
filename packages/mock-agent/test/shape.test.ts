import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fields, isFields, type Json, pick, pickString } from '../src/json.ts';
import { type MockProcess, startMock, updateOf } from './mock-process.ts';
import { shape } from './shape.ts';

type Select = (frame: Fields) => boolean;

function recorded(name: string): readonly Fields[] {
  const text = readFileSync(new URL(`../recordings/claude-0.101-${name}.ndjson`, import.meta.url), 'utf8');
  const records = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));
  const frames = records
    .filter((record) => pick(record, 'dir') === 'agent->client')
    .map((record) => pick(record, 'frame'));
  return frames.filter(isFields);
}

function find(frames: readonly Fields[], select: Select): Fields {
  const found = frames.find(select);
  if (found === undefined) throw new Error('Expected a frame that the selection matches');
  return found;
}

const byUpdate = (kind: string, matches: (update: Fields) => boolean): Select => {
  return (frame) => pickString(frame, 'params', 'update', 'sessionUpdate') === kind && matches(updateOf(frame));
};
const response = (update: Fields, field: string) =>
  pick(update, '_meta', 'claudeCode', 'toolResponse', field) !== undefined;
const closes = (kind: string, run: boolean) =>
  byUpdate('usage_update', (update) => {
    const origin = pick(update, '_meta', '_claude/origin');
    return pick(origin, 'kind') === kind && (pick(origin, 'runId') !== undefined) === run;
  });
const raw = (type: string, subtype?: string): Select => {
  return (frame) =>
    pick(frame, 'params', 'message', 'type') === type && pick(frame, 'params', 'message', 'subtype') === subtype;
};
const tool = (name: string, status: string) =>
  byUpdate(
    'tool_call_update',
    (update) => update.status === status && pick(update, '_meta', 'claudeCode', 'toolName') === name,
  );

interface Case {
  readonly what: string;
  readonly recording: string;
  readonly select: Select;
  /** What the mock leaves out: detail that attests nothing. */
  readonly omits?: RegExp;
}

const script = [
  '/shell s for 20ms',
  '/subagent f foreground',
  '/subagent a for 20ms',
  '/monitor m every 20ms for 30ms',
  '/wait 60ms',
];

const asked = { clientCapabilities: { subagents: {}, _meta: { terminal_output: true } } };

function suite(name: string, start: () => Promise<MockProcess>, cases: readonly Case[]): void {
  describe(name, () => {
    let mock: MockProcess;
    beforeAll(async () => {
      mock = await start();
      mock.answer = () => ({ outcome: { outcome: 'selected', optionId: 'reject-once' } });
      await mock.prompt(...script, ...(name === 'acp-v2' ? ['/permission p'] : []));
      await Promise.all(['s', 'a', 'm'].map((work) => mock.says(`woken by ${work}`)));
      await mock.prompt('/end');
    });
    afterAll(() => mock[Symbol.asyncDispose]());

    test.each(cases)('[S34] $what is as recorded', ({ recording, select, omits }) => {
      const want = shape(find(recorded(recording), select)).filter(
        (path) => omits?.test(path) !== true && path !== '.params.update.background[]',
      );
      const got = shape(find(mock.frames, select)).filter((path) => path !== '.params.update.background[]');
      expect([...new Set(got)].sort()).toEqual([...new Set(want)].sort());
    });
  });
}

const v1: readonly Case[] = [
  {
    what: 'launch of a shell',
    recording: 'v1-03-background-bash',
    select: byUpdate('tool_call_update', (u) => response(u, 'backgroundTaskId')),
  },
  {
    what: 'first frame of a call',
    recording: 'v1-03-background-bash',
    select: byUpdate('tool_call', (u) => u.name === 'Bash'),
  },
  {
    what: 'input of a call',
    recording: 'v1-03-background-bash',
    select: byUpdate('tool_call_update', (u) => pick(u, 'rawInput', 'run_in_background') === true),
  },
  { what: 'end of a call', recording: 'v1-03-background-bash', select: tool('Bash', 'completed') },
  {
    what: 'launch of a subagent',
    recording: 'v1-06-subagent-background',
    select: byUpdate('tool_call_update', (u) => response(u, 'isAsync')),
    omits: /resolvedModel/,
  },
  {
    what: "a child's call",
    recording: 'v1-06-subagent-background',
    select: byUpdate('tool_call', (u) => pick(u, '_meta', 'claudeCode', 'parentToolUseId') !== undefined),
  },
  {
    what: 'launch of a monitor',
    recording: 'v1-07-monitor',
    select: byUpdate('tool_call_update', (u) => response(u, 'timeoutMs')),
  },
  { what: 'end of a human cycle', recording: 'v1-03-background-bash', select: closes('human', false) },
  { what: 'end of a wake', recording: 'v1-03-background-bash', select: closes('task-notification', true) },
  { what: "end of a monitor's event", recording: 'v1-07-monitor', select: closes('task-notification', false) },
  { what: 'text', recording: 'v1-03-background-bash', select: byUpdate('agent_message_chunk', () => true) },
  {
    what: 'answer of a prompt',
    recording: 'v1-03-background-bash',
    select: (frame) => pick(frame, 'result', 'stopReason') !== undefined,
  },
  {
    what: 'return of a foreground subagent',
    recording: 'v1-04-subagent-foreground',
    select: byUpdate('tool_call_update', (u) => response(u, 'agentType')),
    omits: /toolsUsed|harness|resolvedModel|totalDurationMs|totalTokens|toolStats|usage/,
  },
];

const told = (field: string) => byUpdate('tool_call_update', (u) => pick(u, '_meta', field) !== undefined);
const child = (state: string) => byUpdate('subagent_update', (u) => pick(u, 'state', 'state') === state);

const v1Children: readonly Case[] = [
  { what: 'announcement of a subagent', recording: 'v1-subagents-06-subagent-background', select: child('running') },
  { what: 'end of a subagent', recording: 'v1-subagents-06-subagent-background', select: child('idle') },
  {
    what: "a child's call",
    recording: 'v1-subagents-06-subagent-background',
    select: byUpdate('tool_call', (u) => pick(u, '_meta', 'claudeCode', 'parentToolUseId') !== undefined),
  },
  {
    what: "output of a child's call",
    recording: 'v1-subagents-06-subagent-background',
    select: byUpdate(
      'tool_call_update',
      (u) => pick(u, '_meta', 'terminal_output') !== undefined && pick(u, '_meta', 'claudeCode') !== undefined,
    ),
  },
  {
    what: 'first frame of a call',
    recording: 'v1-subagents-03-background-bash',
    select: byUpdate(
      'tool_call',
      (u) => u.name === 'Bash' && pick(u, '_meta', 'claudeCode', 'parentToolUseId') === undefined,
    ),
  },
  {
    what: 'launch of a shell',
    recording: 'v1-subagents-03-background-bash',
    select: byUpdate('tool_call_update', (u) => response(u, 'backgroundTaskId')),
  },
  { what: 'output', recording: 'v1-subagents-03-background-bash', select: told('terminal_output') },
  {
    what: 'the real end of a shell',
    recording: 'v1-subagents-03-background-bash',
    select: byUpdate(
      'tool_call_update',
      (u) => pick(u, '_meta', 'terminal_exit') !== undefined && u.status === undefined,
    ),
  },
  {
    what: 'end of a call that was waited for',
    recording: 'v1-subagents-06-subagent-background',
    select: byUpdate(
      'tool_call_update',
      (u) => pick(u, '_meta', 'terminal_exit') !== undefined && u.status === 'completed',
    ),
  },
];

const v1Raw: readonly Case[] = [
  { what: 'the level', recording: 'v1-raw-03-background-bash', select: raw('system', 'background_tasks_changed') },
  { what: 'start of a task', recording: 'v1-raw-03-background-bash', select: raw('system', 'task_started') },
  { what: 'update of a task', recording: 'v1-raw-03-background-bash', select: raw('system', 'task_updated') },
  {
    what: 'notification of a task',
    recording: 'v1-raw-03-background-bash',
    select: raw('system', 'task_notification'),
  },
  {
    what: 'state of the session',
    recording: 'v1-raw-03-background-bash',
    select: raw('system', 'session_state_changed'),
  },
  { what: 'lifecycle of a prompt', recording: 'v1-raw-03-background-bash', select: raw('command_lifecycle') },
  { what: 'a model request', recording: 'v1-raw-03-background-bash', select: raw('system', 'status') },
  {
    what: "a subagent's start",
    recording: 'v1-raw-06-subagent-background',
    select: (frame) =>
      pick(frame, 'params', 'message', 'subtype') === 'task_started' &&
      pick(frame, 'params', 'message', 'task_type') === 'local_agent',
  },
];

const state = (name: string, listed: string | undefined) =>
  byUpdate(
    'state_update',
    (u) => u.state === name && pick((u.background as readonly Json[] | undefined)?.[0], 'type') === listed,
  );

const v2: readonly Case[] = [
  { what: 'acceptance', recording: 'v2-03-background-bash', select: byUpdate('user_message', () => true) },
  {
    what: 'answer of a prompt',
    recording: 'v2-03-background-bash',
    select: (frame) => pick(frame, 'result', 'messageId') !== undefined,
  },
  { what: 'running', recording: 'v2-03-background-bash', select: state('running', undefined) },
  { what: 'running with a shell', recording: 'v2-03-background-bash', select: state('running', 'terminal') },
  {
    what: 'idle with its reason',
    recording: 'v2-03-background-bash',
    select: byUpdate('state_update', (u) => u.stopReason !== undefined),
    omits: /usage|quota|background\[\]\./,
  },
  {
    what: 'a live terminal',
    recording: 'v2-03-background-bash',
    select: byUpdate('terminal_update', (u) => isFields(u.capabilities)),
  },
  {
    what: 'announcement of a subagent',
    recording: 'v2-06-subagent-background',
    select: byUpdate('subagent_update', (u) => pick(u, 'state', 'state') === 'running'),
  },
  {
    what: 'end of a subagent',
    recording: 'v2-06-subagent-background',
    select: byUpdate('subagent_update', (u) => pick(u, 'state', 'state') === 'idle'),
  },
  {
    what: 'waiting for the user',
    recording: 'v2-08b-permission-reject',
    select: byUpdate('state_update', (u) => u.state === 'requires_action'),
  },
  {
    what: 'a permission request',
    recording: 'v2-08b-permission-reject',
    select: (frame) => frame.method === 'session/request_permission',
    omits: /locations/,
  },
];

const rawSession = { session: { _meta: { claudeCode: { emitRawSDKMessages: true } } } };
suite('claude-v1', () => startMock('claude-v1'), v1);
suite('claude-v1 with child sessions', () => startMock('claude-v1', { initialize: asked }), v1Children);
suite('claude-v1-raw', () => startMock('claude-v1-raw', rawSession), v1Raw);
suite('acp-v2', () => startMock('acp-v2'), v2);
