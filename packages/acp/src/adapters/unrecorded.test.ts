import { describe, expect, it } from 'vitest';
import { ClaudeScript } from '../testing/claude-script.ts';

// Scenarios of claude-agent-acp 0.101 that were observed and of which no recording is at hand: their frames are written
// here from the order in which they came. The numbers are the scenarios' own.

const QUEUES = { client: {}, agent: { agentCapabilities: { _meta: { claudeCode: { promptQueueing: true } } } } };
const shell = { task_id: 'b', run_id: 'r1', task_type: 'local_bash', description: 'build' };
const agent = { task_id: 'a', run_id: 'r2', task_type: 'local_agent', description: 'sub' };
const LISTED = { type: 'terminal', terminalId: 'x' };

/** A prompt has launched a shell in the background and is over; over v2. */
function withShell(raw: boolean): ClaudeScript {
  const claude = new ClaudeScript({ version: 2 });
  if (raw) claude.tasks();
  const id = claude.prompt();
  claude.update('user_message', { messageId: `m${id}` });
  if (raw) claude.command(`m${id}`, 'started');
  if (raw) claude.level('running');
  claude.state('running');
  claude.update('tool_call_update', { toolCallId: 'x', name: 'Bash', status: 'completed', title: 'build' });
  if (raw) claude.tasks(shell);
  claude.state('running', undefined, [LISTED]);
  claude.says('started');
  claude.state('idle', 'end_turn', [LISTED]);
  if (raw) claude.command(`m${id}`, 'completed');
  if (raw) claude.level('idle');
  return claude;
}

/** The shell ends; what wakes the agent shows itself on its own channel only. */
function shellEnds(claude: ClaudeScript, raw: boolean): void {
  if (raw) claude.tasks();
  claude.state('idle');
  if (raw) claude.level('running');
  if (raw) claude.raw({ type: 'system', subtype: 'status', status: 'requesting' });
}

describe.each([true, false])('over v2, raw messages %s', (raw) => {
  it('[S59] 10f, 16d: a prompt that is folded into a wake’s tool call ends with it, once', () => {
    const claude = withShell(raw);
    shellEnds(claude, raw);
    claude.state('running');
    claude.update('tool_call', { toolCallId: 'y', name: 'Bash', title: 'look', status: 'pending' });
    const id = claude.promptHeld();
    const since = claude.lines.length - 1;
    claude.update('tool_call_update', { toolCallId: 'y', status: 'completed' });
    claude.update('user_message', { messageId: `m${id}` });
    claude.agent({ id, result: { messageId: `m${id}` } });
    if (raw) claude.command(`m${id}`, 'started');
    claude.says('answer to both');
    claude.state('idle', 'end_turn');
    if (raw) claude.command(`m${id}`, 'completed');
    if (raw) claude.level('idle');

    for (const fine of [false, true]) expect(claude.shownSince(since, fine)).toEqual(['generating', 'none']);
  });

  it('[S131] 09h: a wake that is cancelled before it showed itself leaves nothing at work', () => {
    const claude = withShell(raw);
    const since = claude.lines.length;
    shellEnds(claude, raw);
    claude.cancel();
    if (raw) claude.level('idle');

    expect(claude.shownSince(since, true).at(-1)).toBe('none');
  });
});

describe('over v2 alone', () => {
  it('[S57] 10h: a prompt that is written while a wake is not seen yet begins after that wake', () => {
    const claude = withShell(false);
    const since = claude.lines.length;
    shellEnds(claude, false);
    const id = claude.promptHeld();
    claude.state('running');
    claude.says('woken');
    claude.state('idle', 'end_turn');
    claude.update('user_message', { messageId: `m${id}` });
    claude.agent({ id, result: { messageId: `m${id}` } });
    claude.state('running');
    claude.says('answer');
    claude.state('idle', 'end_turn');

    const shown = claude.shownSince(since, true);
    expect(shown.at(-1)).toBe('none');
    // From the prompt on it is never free before its own end.
    expect(shown.slice(shown.indexOf('generating'))).toEqual(['generating', 'none']);
  });
});

describe('over v2 and raw', () => {
  it('[S13] 15b: wakes that share a request are one cycle, and the gap between two is no end of work', () => {
    const claude = withShell(true);
    const since = claude.lines.length;
    shellEnds(claude, true);
    claude.state('running');
    claude.says('first');
    claude.closes('task-notification', 'r1');
    claude.state('idle', 'end_turn');
    claude.later(1_500);
    claude.raw({ type: 'system', subtype: 'status', status: 'requesting' });
    claude.state('running');
    claude.says('second and third');
    claude.closes('task-notification', 'r3');
    claude.raw({ type: 'result', subtype: 'success', num_turns: 0, parent_tool_use_id: null });
    claude.closes('task-notification', 'r4');
    claude.state('idle', 'end_turn');
    claude.level('idle');

    expect(claude.shownSince(since, true).filter((word) => word === 'none')).toHaveLength(1);
    expect(claude.shownSince(since, true).at(-1)).toBe('none');
  });
});

describe('over v1', () => {
  it('[S65] 09i: a cancel while the answer is held takes the subagent along', () => {
    const claude = new ClaudeScript({ version: 1, ...QUEUES });
    const id = claude.prompt();
    claude.update('tool_call', { toolCallId: 'x', rawInput: { prompt: 'p', run_in_background: true } });
    const toolResponse = { isAsync: true, status: 'async_launched', agentId: 'a' };
    claude.update('tool_call_update', {
      toolCallId: 'x',
      _meta: { claudeCode: { toolName: 'Agent', toolResponse } },
    });
    claude.says('launched');
    claude.closes('human');
    const since = claude.lines.length;
    claude.cancel();
    claude.answer(id, 'cancelled');

    expect(claude.shownSince(since, true)).toEqual(['background subagent', 'none']);
  });

  it('[S65] 09i: with child sessions the subagent outlives it', () => {
    const claude = new ClaudeScript({ version: 1, ...QUEUES });
    const id = claude.prompt();
    claude.update('subagent_update', { sessionId: 'a', title: 'sub', state: { state: 'running' } });
    claude.says('launched');
    claude.closes('human');
    const since = claude.lines.length;
    claude.cancel();
    claude.answer(id, 'cancelled');
    claude.update('subagent_update', { sessionId: 'a', state: { state: 'idle', stopReason: 'end_turn' } });

    const [before, ...after] = claude.shownSince(since, true);
    expect(before).toBe('background subagent');
    expect(after.filter((word) => word === 'none')).toHaveLength(1);
    expect(after.at(-1)).toBe('none');
  });

  it('[S20] raw and child sessions name one subagent once', () => {
    const claude = new ClaudeScript({ version: 1, ...QUEUES });
    claude.tasks();
    const id = claude.prompt();
    claude.command('u', 'queued');
    claude.command('u', 'started');
    claude.level('running');
    claude.raw({
      type: 'system',
      subtype: 'task_started',
      ...agent,
      tool_use_id: 'x',
      is_backgrounded: true,
    });
    claude.update('subagent_update', { sessionId: 'a', title: 'sub', state: { state: 'running' } });
    claude.tasks(agent);
    const since = claude.lines.length;
    claude.says('launched');
    claude.command('u', 'completed');
    claude.raw({ type: 'result', subtype: 'success', parent_tool_use_id: null });
    claude.tasks();
    claude.update('subagent_update', { sessionId: 'a', state: { state: 'idle', stopReason: 'end_turn' } });
    claude.raw({ type: 'system', subtype: 'status', status: 'requesting' });
    claude.says('woken');
    claude.level('idle');
    claude.answer(id);

    const shown = claude.shownSince(since, true);
    expect(shown.filter((word) => /\*/.test(word))).toEqual([]);
    expect(shown[0]).toBe('generating subagent');
    expect(shown.at(-1)).toBe('none');
  });
});
