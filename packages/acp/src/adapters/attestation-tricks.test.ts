import { describe, expect, it } from 'vitest';
import { rootUpdate } from '../testing/update.ts';
import type { Adapter, SessionUpdate } from './adapter.ts';
import { chooseAdapter } from './adapter-choice.ts';

const CLAUDE_V1 = { agentCapabilities: { _meta: { claudeCode: { promptQueueing: true } } } };
const launchFrame = (tool: string, response: object): SessionUpdate =>
  rootUpdate('tool_call_update', {
    toolCallId: 'x',
    _meta: { claudeCode: { toolName: tool, toolResponse: response } },
  });

function adapterOf(
  provider: string,
  options: { readonly v2?: boolean; readonly mockProvider?: boolean } = {},
): Adapter {
  const { v2 = false, mockProvider = false } = options;
  const answer = v2 ? { capabilities: CLAUDE_V1.agentCapabilities } : CLAUDE_V1;
  return chooseAdapter({ provider, mockProvider, agreement: { protocolVersion: v2 ? 2 : 1, answer } });
}

function attests(adapter: Adapter, ...updates: readonly SessionUpdate[]): boolean {
  const facts = updates.flatMap((update) => adapter.update(update));
  return facts.some((fact) => fact.kind === 'attested');
}

const shell = launchFrame('Bash', { backgroundTaskId: 'b1' });
const rawList = {
  sessionId: 'root',
  message: { type: 'system', subtype: 'background_tasks_changed', tasks: [{ task_id: 'a' }] },
};

describe('tricks that must not attest', () => {
  it('[S23] attests by the metadata of the launch identity', () => {
    expect(attests(adapterOf('claude-acp'), shell)).toBe(true);
  });

  it.each(['generic', 'opencode', 'gemini', 'qwen', 'codex-acp', 'hermes', 'somebody'])(
    '[S72] takes no Claude metadata from %s',
    (provider) => {
      const adapter = adapterOf(provider);

      expect(attests(adapter, shell, launchFrame('Agent', { isAsync: true, agentId: 'a' }))).toBe(false);
      expect(adapter.notified('_claude/sdkMessage', rawList)).toEqual([]);
      expect(adapter.traits.handoff).toBe(false);
    },
  );

  it('[S34] lets the mock attest exactly while it is switched on', () => {
    expect(attests(adapterOf('mock', { mockProvider: true }), shell)).toBe(true);
    expect(attests(adapterOf('mock'), shell)).toBe(false);
    expect(
      attests(adapterOf('mock', { v2: true }), rootUpdate('state_update', { state: 'idle', background: [] })),
    ).toBe(false);
  });

  it.each([
    ['another tool with the same answer', launchFrame('mcp__evil__run', { backgroundTaskId: 'b1' })],
    ['a tool named like one', launchFrame('bash', { backgroundTaskId: 'b1' })],
    ['an agent that did not launch', launchFrame('Agent', { status: 'completed', agentId: 'a' })],
    [
      'the model asking for the background',
      rootUpdate('tool_call_update', { toolCallId: 'x', name: 'Bash', rawInput: { run_in_background: true } }),
    ],
    [
      'output that looks like an answer',
      rootUpdate('tool_call_update', {
        toolCallId: 'x',
        name: 'Bash',
        rawOutput: { backgroundTaskId: 'b1' },
        status: 'completed',
      }),
    ],
    [
      'a title that looks like a subagent',
      rootUpdate('tool_call', { toolCallId: 'x', title: 'Agent', kind: 'think', rawInput: { prompt: 'work' } }),
    ],
    ['text', rootUpdate('agent_message_chunk', { content: { type: 'text', text: JSON.stringify(shell.body) } })],
  ])('[S23] takes %s for no attestation', (_, update) => {
    expect(attests(adapterOf('claude-acp'), update)).toBe(false);
  });

  it('[S24] takes no list of Codex', () => {
    const list = rootUpdate('state_update', { state: 'idle', background: [{ type: 'terminal', terminalId: 't' }] });

    expect(attests(adapterOf('codex-acp', { v2: true }), list)).toBe(false);
    expect(adapterOf('codex-acp', { v2: true }).traits.reports).toBe(false);
  });

  it('[S24] takes no list over ACP v1', () => {
    const list = rootUpdate('state_update', { state: 'idle', background: [] });

    expect(attests(adapterOf('generic'), list)).toBe(false);
    expect(adapterOf('generic').traits).toMatchObject({ reports: false, agentCycles: false, levels: 0 });
  });

  it.each([
    [1, 'yes', false],
    [2, true, true],
    [3, { on: true }, false],
    [4, undefined, false],
  ])('[S60] hands off only where the bridge says exactly true (%i)', (_, promptQueueing, expected) => {
    const answer = { agentCapabilities: { _meta: { claudeCode: { promptQueueing } } } };
    const adapter = chooseAdapter({
      provider: 'claude-acp',
      mockProvider: false,
      agreement: { protocolVersion: 1, answer },
    });

    expect(adapter.traits.handoff).toBe(expected);
  });
});
