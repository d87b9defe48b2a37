import { describe, expect, it } from 'vitest';
import { ClaudeScript } from '../testing/claude-script.ts';
import type { JsonObject } from '../wire/json.ts';

const RUN = {
  task_id: 'b',
  run_id: 'r',
  tool_use_id: 'toolu_b',
  task_type: 'local_bash',
  description: 'build',
} as const;
const CALL = { toolCallId: 'toolu_b', _meta: { claudeCode: { toolName: 'Bash' } } } as const;

type Step = (claude: ClaudeScript) => void;

/** What Claude tells of one background shell, on both its channels. */
const STEPS: Readonly<Record<string, Step>> = {
  listed: (claude) => claude.tasks({ task_id: 'b', run_id: 'r', task_type: 'local_bash', description: 'build' }),
  started: (claude) => claude.raw({ type: 'system', subtype: 'task_started', is_backgrounded: true, ...RUN }),
  acknowledged: (claude) =>
    claude.update('tool_call_update', {
      ...CALL,
      status: 'completed',
      _meta: { claudeCode: { toolName: 'Bash', toolResponse: { backgroundTaskId: 'b' } } },
    }),
  ended: (claude) => claude.raw({ type: 'system', subtype: 'task_notification', status: 'completed', ...RUN }),
  unlisted: (claude) => claude.tasks(),
};

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}

function begun(): ClaudeScript {
  const claude = new ClaudeScript({ version: 2 });
  const id = claude.prompt();
  claude.command(`m${id}`, 'started');
  claude.level('running');
  claude.state('running');
  claude.update('tool_call', { ...CALL, title: 'build', status: 'in_progress' });
  return claude;
}

/** What is shown at last, with its turn over. */
function lastShown(claude: ClaudeScript): string | undefined {
  claude.state('idle', 'end_turn');
  claude.level('idle');
  claude.later(5_000);
  claude.update('session_info_update', { title: 'later' });
  return claude.shownSince(0).at(-1);
}

describe('hard cases of adapters', () => {
  it('[S20] [S32] hard case 10: what is told of one shell comes to the same in every order, doubled, and replayed', () => {
    const seen = new Map<string | undefined, string>();
    for (const order of permutations(Object.keys(STEPS))) {
      for (const played of [order, order.flatMap((name) => [name, name]), [...order, 'started', 'acknowledged']]) {
        const claude = begun();
        for (const name of played) STEPS[name]?.(claude);
        seen.set(lastShown(claude), played.join(' '));
      }
    }
    expect([...seen.keys()]).toEqual(['none']);
  });

  it('[S20] hard case 10: one shell is one piece of work, whichever of its names comes first', () => {
    for (const order of permutations(['listed', 'started', 'acknowledged'])) {
      const claude = begun();
      for (const name of order) STEPS[name]?.(claude);
      claude.state('idle', 'end_turn');
      claude.level('idle');
      expect(claude.shownSince(0).at(-1), order.join(' ')).toBe('background shell');
    }
  });

  it.each(['plain', 'raw'])(
    '[S27] [S28] hard case 1: the end of a blocking subagent ends that one, and not the detached one (v1, %s)',
    (surface) => {
      const raw = surface === 'raw';
      const claude = new ClaudeScript({ version: 1 });
      const agent = { task_id: 'a', run_id: 'r1', tool_use_id: 'A', task_type: 'local_agent', description: 'detached' };
      const blocking = {
        task_id: 'f',
        run_id: 'r2',
        tool_use_id: 'F',
        task_type: 'local_agent',
        description: 'blocking',
      };
      const call = (toolCallId: string, body: JsonObject, toolResponse?: JsonObject) =>
        claude.update('tool_call_update', {
          toolCallId,
          _meta: { claudeCode: { toolName: 'Agent', ...(toolResponse && { toolResponse }) } },
          ...body,
        });
      if (raw) claude.tasks();
      const id = claude.prompt();
      if (raw) claude.command('u', 'queued');
      if (raw) claude.command('u', 'started');
      call('A', { name: 'Agent', rawInput: { prompt: 'p', run_in_background: true } });
      call('A', {}, { isAsync: true, status: 'async_launched', agentId: 'a' });
      if (raw) claude.tasks({ task_id: 'a', run_id: 'r1', task_type: 'local_agent', description: 'detached' });
      if (raw) claude.raw({ type: 'system', subtype: 'task_started', is_backgrounded: true, ...agent });
      call('F', { name: 'Agent', rawInput: { prompt: 'q', run_in_background: false } });
      if (raw) claude.raw({ type: 'system', subtype: 'task_started', is_backgrounded: false, ...blocking });
      const since = claude.lines.length - 1;
      if (raw) claude.raw({ type: 'system', subtype: 'task_notification', status: 'completed', ...blocking });
      call('F', { status: 'completed' }, { status: 'completed', agentId: 'f' });
      claude.says('done');
      if (raw) claude.command('u', 'completed');
      claude.closes('human');
      claude.answer(id);

      expect(claude.shownSince(since, true)).toEqual([
        'generating subagent',
        'generating subagent (subagent)',
        'generating subagent',
        'background subagent',
      ]);
    },
  );
});
