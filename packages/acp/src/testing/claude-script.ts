import { playRecording } from '../recordings/play-recording.ts';
import { readingLines, readingWord } from '../recordings/reading-words.ts';
import type { JsonObject } from '../wire/json.ts';
import { WireScript } from './wire-script.ts';

/** A conversation with Claude, in the words of its bridge and of its own channel. */
export class ClaudeScript extends WireScript {
  raw(message: JsonObject): void {
    this.agent({ method: '_claude/sdkMessage', params: { sessionId: 's', message } });
  }

  /** The set of detached work on Claude's own channel, by task id and type. */
  tasks(...tasks: readonly JsonObject[]): void {
    this.raw({ type: 'system', subtype: 'background_tasks_changed', tasks });
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

  state(state: string, stopReason?: string, background: readonly JsonObject[] = []): void {
    this.update('state_update', { state, background, ...(stopReason !== undefined && { stopReason }) });
  }

  /** The usage that closes a cycle. */
  closes(kind: string | null, runId?: string): void {
    const origin = kind === null ? {} : { '_claude/origin': { kind, ...(runId !== undefined && { runId }) } };
    this.update('usage_update', { used: 1, size: 2, cost: { amount: 1, currency: 'USD' }, _meta: origin });
  }

  /** What was shown from the frame that was written last before `from` on. */
  shownSince(from: number, fine = false): readonly string[] {
    const at = this.lines[from]?.t ?? 0;
    const lines = readingLines(playRecording(this.lines, { provider: 'claude-acp', fine }));
    const before = lines.filter(({ t }) => t < at).at(-1);
    return [...(before ? [before] : []), ...lines.filter(({ t }) => t >= at)].map(readingWord);
  }
}
