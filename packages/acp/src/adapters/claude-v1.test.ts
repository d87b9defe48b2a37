import { describe, expect, it } from 'vitest';
import { factWords } from '../testing/fact-words.ts';
import { rootUpdate } from '../testing/update.ts';
import type { JsonObject } from '../wire/json.ts';
import type { Asking, SessionUpdate } from './adapter.ts';
import { ClaudeV1 } from './claude-v1.ts';

const agreement = { protocolVersion: 1, answer: {} } as const;
const asking: Asking = { sessionId: 'root', root: true, toolCallId: 'a', body: {} };

/** A frame of a call; `meta` goes beside the tool's name in Claude's own metadata. */
function frame(
  id: string,
  tool: string,
  { meta = {}, ...fields }: JsonObject & { readonly meta?: JsonObject },
): SessionUpdate {
  const body = { toolCallId: id, name: tool, _meta: { claudeCode: { toolName: tool, ...meta } }, ...fields };
  return rootUpdate('tool_call_update', body);
}

const agentInput = frame('a', 'Agent', { rawInput: { prompt: 'work', description: 'sub' } });
const closing = (origin?: JsonObject) =>
  rootUpdate('usage_update', { cost: { amount: 1 }, ...(origin && { _meta: { '_claude/origin': origin } }) });
const raw = (adapter: ClaudeV1, message: JsonObject) => adapter.notified('_claude/sdkMessage', { message });

function namesIn(adapter: ClaudeV1, ...updates: readonly SessionUpdate[]): readonly string[] {
  return updates
    .flatMap((update) => adapter.update(update))
    .flatMap((fact) => {
      const evidence = fact.kind === 'attested' ? fact.attestation.evidence : null;
      return evidence && 'names' in evidence ? [`${evidence.what} ${evidence.names.join(' ')}`] : [];
    });
}

describe('blocking subagents of plain v1', () => {
  it('[S30] is not live while a permission for its very call is open', () => {
    const adapter = new ClaudeV1(agreement);

    expect(factWords(adapter.update(agentInput))).toEqual(['+subagent', 'call opens']);
    expect(factWords(adapter.asked(asking))).toEqual(['-tool:a']);
    expect(factWords(adapter.decided(asking, true))).toEqual(['+subagent']);
    expect(factWords(adapter.update(frame('a', 'Agent', { status: 'completed' })))).toEqual([
      '-tool:a#2',
      'call closes',
    ]);
  });

  it('[S25] leaves nothing live of a call that was denied', () => {
    const adapter = new ClaudeV1(agreement);
    adapter.update(agentInput);
    adapter.asked(asking);

    expect(adapter.decided(asking, false)).toEqual([]);
    expect(factWords(adapter.update(frame('a', 'Agent', { status: 'failed' })))).toEqual(['call closes']);
  });

  it('[S30] is proved by a frame of its child', () => {
    const adapter = new ClaudeV1(agreement);

    const child = frame('c', 'Bash', { meta: { parentToolUseId: 'a' } });

    expect(factWords(adapter.update(child))).toEqual(['+subagent', 'child call opens']);
  });

  it('[S31] registers no shell that a child puts in the background', () => {
    const adapter = new ClaudeV1(agreement);
    adapter.update(frame('c', 'Bash', { meta: { parentToolUseId: 'a' } }));

    // The answer's own frame names no parent (0.49): the first frame of the call did.
    const launch = frame('c', 'Bash', { meta: { toolResponse: { backgroundTaskId: 'b' } } });

    expect(namesIn(adapter, launch)).toEqual([]);
  });
});

describe('launches and ends of plain v1', () => {
  it('[S27] ends the task that TaskStop names', () => {
    const adapter = new ClaudeV1(agreement);
    const launch = frame('x', 'Bash', { meta: { toolResponse: { backgroundTaskId: 'b' } } });
    const stop = frame('s', 'TaskStop', { meta: { toolResponse: { task_id: 'b' } } });

    expect(namesIn(adapter, launch, stop)).toEqual(['started tool:x', 'ended tool:x']);
    expect(namesIn(adapter, frame('s2', 'TaskStop', { meta: { toolResponse: { task_id: 'other' } } }))).toEqual([]);
  });

  it('[S59] completes no prompt by an end of another origin', () => {
    const adapter = new ClaudeV1(agreement);
    adapter.written(5);

    expect(factWords(adapter.update(closing({ kind: 'task-notification' })))).toEqual([
      'accepted 5',
      '-someone',
      'cycle closed',
    ]);
    expect(factWords(adapter.update(closing({ kind: 'human' })))).toEqual(['yielded 5']);
    expect(factWords(adapter.update(closing()))).toEqual([]);
  });

  it('[S4] closes a cycle without an origin where no prompt is open', () => {
    expect(factWords(new ClaudeV1(agreement).update(closing()))).toEqual(['cycle closed']);
  });

  it('[S63] gives the second of two open prompts its own end', () => {
    const adapter = new ClaudeV1(agreement);
    adapter.written(5);
    adapter.update(closing({ kind: 'human' }));
    adapter.written(6);

    expect(factWords(adapter.update(closing({ kind: 'human' })))).toEqual(['accepted 6', 'yielded 6']);
    expect(factWords(adapter.answered(5, { ok: true, result: { stopReason: 'end_turn' } }))).toEqual(['rpc.settled 5']);
  });

  it('[S56] rejects a prompt only before any frame of its turn', () => {
    const error = { ok: false, code: -32603, message: 'Internal error', data: null } as const;
    const adapter = new ClaudeV1(agreement);
    adapter.written(5);
    expect(factWords(adapter.answered(5, error))).toEqual(['rejected 5']);

    adapter.written(6);
    adapter.update(rootUpdate('agent_message_chunk', { content: { type: 'text', text: 'a' } }));

    expect(adapter.answered(6, error)).toEqual([{ kind: 'rpc.settled', generation: 6, stopReason: 'error' }]);
  });

  it('[S57] takes no frame of the agent itself for a sign that it took the prompt', () => {
    const adapter = new ClaudeV1(agreement);
    adapter.written(5);

    expect(adapter.update(rootUpdate('available_commands_update'))).toEqual([]);
    expect(adapter.update(rootUpdate('session_info_update', { title: 't' }))).toEqual([]);
  });
});

describe('raw messages over v1', () => {
  const list = (...tasks: readonly JsonObject[]): JsonObject => ({
    type: 'system',
    subtype: 'background_tasks_changed',
    tasks,
  });
  const agent = { task_id: 'a', run_id: 'r', task_type: 'local_agent' };

  it('[S57] joins commands to prompts in their order', () => {
    const adapter = new ClaudeV1(agreement);
    adapter.written(5);
    adapter.written(6);
    const command = (uuid: string, state: string) =>
      raw(adapter, { type: 'command_lifecycle', command_uuid: uuid, state });

    expect(factWords(command('u', 'queued'))).toEqual(['accepted 5']);
    expect(factWords(command('v', 'queued'))).toEqual(['accepted 6']);
    expect(factWords(command('v', 'started'))).toEqual(['begun 6']);
    expect(factWords(command('v', 'cancelled'))).toEqual(['completed 6']);
    expect(factWords(command('u', 'completed'))).toEqual(['completed 5']);
    expect(command('u', 'completed')).toEqual([]);
  });

  it('[S59] binds no command of a timer to a prompt', () => {
    const adapter = new ClaudeV1(agreement);
    adapter.written(5);

    const timer = { type: 'command_lifecycle', command_uuid: 't', state: 'started', wakeup_source: 'schedule_wakeup' };

    expect(raw(adapter, timer)).toEqual([]);
  });

  it('[S32] ignores ambient tasks and keeps what it knows on a malformed list', () => {
    const adapter = new ClaudeV1(agreement);

    expect(factWords(raw(adapter, list(agent, { task_id: 'b', ambient: true })))).toEqual(['list2 [subagent]']);
    expect(raw(adapter, { type: 'system', subtype: 'background_tasks_changed', tasks: [{}] })).toEqual([]);
    expect(raw(adapter, { type: 'system', subtype: 'background_tasks_changed' })).toEqual([]);
  });

  it('[S13] reads the level by requests and results while a detached subagent lives', () => {
    const adapter = new ClaudeV1(agreement);
    raw(adapter, list(agent));

    expect(raw(adapter, { type: 'system', subtype: 'session_state_changed', state: 'running' })).toEqual([]);
    expect(factWords(raw(adapter, { type: 'system', subtype: 'status', status: 'requesting' }))).toEqual([
      'raw running',
    ]);
    expect(factWords(raw(adapter, { type: 'result' }))).toEqual(['raw idle']);
    expect(raw(adapter, { type: 'result', parent_tool_use_id: 'x' })).toEqual([]);
  });

  it('[S28] ends nobody by a wake once raw messages count', () => {
    const adapter = new ClaudeV1(agreement);
    raw(adapter, list(agent));

    expect(factWords(adapter.update(closing({ kind: 'task-notification', runId: 'r' })))).toEqual(['cycle closed']);
  });

  it('[S13] has a level only once the channel is seen to be spoken', () => {
    const adapter = new ClaudeV1(agreement);
    expect(raw(adapter, { type: 'system', subtype: 'session_state_changed', state: 'running' })).toEqual([]);
    expect(adapter.traits.levels).toBe(0);

    expect(factWords(raw(adapter, list()))).toEqual(['raw running', 'list2 []']);
    expect(adapter.traits.levels).toBe(1);
  });

  it('[S32] takes running work that moved to the background as detached', () => {
    const adapter = new ClaudeV1(agreement);
    raw(adapter, list());
    const run = { task_id: 'b', run_id: 'r', task_type: 'local_bash', tool_use_id: 'x' };

    expect(
      factWords(raw(adapter, { type: 'system', subtype: 'task_started', is_backgrounded: false, ...run })),
    ).toEqual(['=run=tool:x']);
    const moved = {
      type: 'system',
      subtype: 'task_updated',
      task_id: 'b',
      run_id: 'r',
      patch: { is_backgrounded: true },
    };
    expect(factWords(raw(adapter, moved))).toEqual(['+detached shell']);
  });
});

describe('child sessions of v1', () => {
  const child = (state: string) => rootUpdate('subagent_update', { sessionId: 'kid', state: { state } });
  const asks: Asking = { sessionId: 'kid', root: false, toolCallId: 'c', body: {} };

  it('[S65] takes a child that is at work when its turn closes for detached', () => {
    const adapter = new ClaudeV1(agreement);
    adapter.written(1);
    expect(factWords(adapter.update(child('running')))).toEqual(['+subagent']);
    expect(adapter.asker(asks).background).toBe(false);

    expect(factWords(adapter.update(closing({ kind: 'human' })))).toEqual(['accepted 1', 'detached', 'yielded 1']);
    expect(adapter.asker(asks).background).toBe(true);
    expect(factWords(adapter.update(child('idle')))).toEqual(['-session#1']);
  });

  it('[S30] leaves a child that ended within its turn what it was', () => {
    const adapter = new ClaudeV1(agreement);
    adapter.written(1);
    adapter.update(child('running'));
    adapter.update(child('idle'));

    expect(factWords(adapter.update(closing({ kind: 'human' })))).toEqual(['accepted 1', 'yielded 1']);
  });

  it('[S33] takes a child that is resumed without a turn for detached', () => {
    const adapter = new ClaudeV1(agreement);
    adapter.update(child('running'));
    adapter.update(child('idle'));

    expect(factWords(adapter.update(child('running')))).toEqual(['+detached subagent']);
  });
});
