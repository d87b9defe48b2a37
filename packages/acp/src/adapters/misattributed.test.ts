import { describe, expect, it } from 'vitest';
import { playRecording } from '../recordings/play-recording.ts';
import { readingLines, readingWord } from '../recordings/reading-words.ts';
import { WireScript } from '../testing/wire-script.ts';
import type { JsonObject } from '../wire/json.ts';

/** Claude with raw messages, in the words of its own channel. */
class Claude extends WireScript {
  raw(message: JsonObject): void {
    this.agent({ method: '_claude/sdkMessage', params: { sessionId: 's', message } });
  }

  command(uuid: string, state: string, more: JsonObject = {}): void {
    this.raw({ type: 'command_lifecycle', command_uuid: uuid, state, ...more });
  }

  level(state: string): void {
    this.raw({ type: 'system', subtype: 'session_state_changed', state });
  }

  says(text: string): void {
    this.update('agent_message_chunk', { messageId: text, content: { type: 'text', text } });
  }

  state(state: string, stopReason?: string): void {
    this.update('state_update', { state, background: [], ...(stopReason !== undefined && { stopReason }) });
  }

  /** What was shown from the frame that was written last before `from` on. */
  shownSince(from: number, fine = false): readonly string[] {
    const at = this.lines[from]?.t ?? 0;
    const lines = readingLines(playRecording(this.lines, { provider: 'claude-acp', fine }));
    const before = lines.filter(({ t }) => t < at).at(-1);
    return [...(before ? [before] : []), ...lines.filter(({ t }) => t >= at)].map(readingWord);
  }
}

/** 16c: a prompt is written while a cycle of a timer begins; that cycle's end comes after the prompt was accepted. */
function timerOverV2(): { readonly claude: Claude; readonly since: number } {
  const claude = new Claude({ version: 2 });
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
function timerOverV1(): { readonly claude: Claude; readonly since: number } {
  const claude = new Claude({ version: 1 });
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
function foldedOverV2(): { readonly claude: Claude; readonly since: number } {
  const claude = new Claude({ version: 2 });
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
