import { describe, expect, it } from 'vitest';
import { ClaudeScript } from '../testing/claude-script.ts';

/** 16c: a prompt is written while a cycle of a timer begins; that cycle's end comes after the prompt was accepted. */
function timerOverV2(): { readonly claude: ClaudeScript; readonly since: number } {
  const claude = new ClaudeScript({ version: 2 });
  claude.raw({ type: 'system', subtype: 'background_tasks_changed', tasks: [] });
  const id = claude.prompt();
  claude.command('t', 'started', { wakeup_source: 'cron' });
  claude.level('running');
  claude.state('running');
  claude.says('tick');
  const since = claude.lines.length - 1;
  claude.update('user_message', { messageId: `m${id}` });
  claude.command(`m${id}`, 'queued');
  claude.state('idle', 'end_turn');
  claude.command(`m${id}`, 'started');
  claude.raw({ type: 'system', subtype: 'status', status: 'requesting' });
  claude.state('running');
  claude.says('answer');
  claude.state('idle', 'end_turn');
  claude.command(`m${id}`, 'completed');
  claude.level('idle');
  return { claude, since };
}

/** The same over v1: the prompt's request is answered with the result of the timer's cycle. */
function timerOverV1(): { readonly claude: ClaudeScript; readonly since: number } {
  const claude = new ClaudeScript({ version: 1 });
  claude.raw({ type: 'system', subtype: 'background_tasks_changed', tasks: [] });
  const id = claude.prompt();
  claude.command('t', 'started', { wakeup_source: 'cron' });
  claude.level('running');
  claude.says('tick');
  const since = claude.lines.length - 1;
  claude.command('u', 'queued');
  claude.answer(id);
  claude.command('u', 'started');
  claude.raw({ type: 'system', subtype: 'status', status: 'requesting' });
  claude.says('answer');
  claude.command('u', 'completed');
  claude.level('idle');
  return { claude, since };
}

/** 10t: a second prompt is folded into the turn of the first, whose own end comes before the answer is generated. */
function foldedOverV2(): { readonly claude: ClaudeScript; readonly since: number } {
  const claude = new ClaudeScript({ version: 2 });
  const first = claude.prompt();
  claude.command(`m${first}`, 'started');
  claude.level('running');
  claude.state('running');
  claude.update('tool_call', { toolCallId: 'x', title: 'run', status: 'in_progress' });
  const second = claude.prompt();
  const since = claude.lines.length - 1;
  claude.update('tool_call_update', { toolCallId: 'x', status: 'completed' });
  claude.state('idle', 'end_turn');
  claude.command(`m${second}`, 'started');
  claude.state('running');
  claude.says('answer to both');
  claude.command(`m${first}`, 'completed');
  claude.says('and more');
  claude.command(`m${second}`, 'completed');
  claude.state('idle', 'end_turn');
  claude.level('idle');
  return { claude, since };
}

describe('ends that are not of the prompt', () => {
  it.each([false, true])('[S57] a timer’s end over v2 and raw leaves the prompt at work (experiment: %s)', (fine) => {
    const { claude, since } = timerOverV2();

    expect(claude.shownSince(since, fine)).toEqual(['generating', 'none']);
  });

  it.each([false, true])(
    '[S57] hard case 11: an answer with a timer’s result over v1 and raw does so, too (experiment: %s)',
    (fine) => {
      const { claude, since } = timerOverV1();

      expect(claude.shownSince(since, fine)).toEqual(['generating', 'none']);
    },
  );

  it.each([false, true])(
    '[S63] the end of the first of two folded prompts leaves the second at work (experiment: %s)',
    (fine) => {
      const { claude, since } = foldedOverV2();

      expect(claude.shownSince(since, fine)).toEqual(['generating', 'none']);
    },
  );
});
