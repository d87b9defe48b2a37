import { describe, expect, it } from 'vitest';
import { childUpdate, rootUpdate } from '../testing/update.ts';
import { TranscriptReader } from './transcript-reader.ts';

const text = (value: string) => ({ content: { type: 'text', text: value } });

describe('the transcript', () => {
  it('appends chunks to the message of their id, thoughts apart', () => {
    const reader = new TranscriptReader('s');
    const chunk = (kind: string, value: string) =>
      reader.read(rootUpdate(kind, { ...text(value), messageId: 'm' }), false);

    expect(chunk('agent_thought_chunk', 'hm')).toEqual([
      { type: 'message', id: 'thought:m', role: 'thought', text: 'hm', mode: 'append' },
    ]);
    expect(chunk('agent_message_chunk', 'yes')).toEqual([
      { type: 'message', id: 'assistant:m', role: 'assistant', text: 'yes', mode: 'append' },
    ]);
    expect(chunk('agent_message_chunk', '')).toEqual([]);
  });

  it.each(['constructor', 'toString', '__proto__'])(
    '[S123] takes an update of kind %s for none that it knows',
    (kind) => {
      expect(new TranscriptReader('s').read(rootUpdate(kind, text('x')), false)).toEqual([]);
    },
  );

  it('begins a new message without an id after a call, and after a turn', () => {
    const reader = new TranscriptReader('s');
    const say = () =>
      reader.read(rootUpdate('agent_message_chunk', text('a')), false).map((event) => 'id' in event && event.id);

    const ids = [say(), say()];
    reader.read(rootUpdate('tool_call', { toolCallId: 'x' }), false);
    ids.push(say());
    reader.turnEnded();
    ids.push(say());

    expect(ids.flat()).toEqual(['assistant:s:1', 'assistant:s:1', 'assistant:s:2', 'assistant:s:3']);
  });

  it('shows the output of a terminal in the card of its call', () => {
    const reader = new TranscriptReader('s');
    const data = Buffer.from('done\n').toString('base64');
    reader.read(
      rootUpdate('tool_call_update', { toolCallId: 'x', content: [{ type: 'terminal', terminalId: 't' }] }),
      false,
    );
    reader.read(rootUpdate('terminal_output_chunk', { terminalId: 't', data }), false);

    expect(reader.read(rootUpdate('terminal_update', { terminalId: 't', exitStatus: { exitCode: 3 } }), false)).toEqual(
      [{ type: 'tool', id: 'x', content: [{ type: 'terminal', terminalId: 't', output: 'done\n', exitCode: 3 }] }],
    );
  });

  it('shows diffs and keeps a status that it does not know going on', () => {
    const reader = new TranscriptReader('s');
    const content = [{ type: 'diff', path: 'a.ts', oldText: null, newText: 'b' }, { type: 'image' }];

    expect(
      reader.read(rootUpdate('tool_call', { toolCallId: 'x', title: 'Edit', status: 'dreaming', content }), false),
    ).toEqual([
      {
        type: 'tool',
        id: 'x',
        title: 'Edit',
        status: 'in_progress',
        content: [{ type: 'diff', path: 'a.ts', oldText: null, newText: 'b' }],
      },
    ]);
  });

  it('[S43] puts what a child does below its card', () => {
    const reader = new TranscriptReader('s');
    const state = { state: 'idle', stopReason: 'cancelled' };

    expect(reader.read(rootUpdate('subagent_update', { sessionId: 'c', title: 'sub', state }), false)).toEqual([
      { type: 'tool', id: 'c', toolKind: 'subagent', title: 'sub', status: 'cancelled' },
    ]);
    expect(reader.read(childUpdate('c', 'tool_call', { toolCallId: 'x' }), false)).toEqual([
      { type: 'tool', id: 'x', parentToolCallId: 'c' },
    ]);
  });

  it('reads plans of both protocols', () => {
    const entries = [{ content: 'a', status: 'pending', priority: 'low' }];
    const plan = [{ type: 'plan', entries }];

    expect(new TranscriptReader('s').read(rootUpdate('plan', { entries }), false)).toEqual(plan);
    expect(new TranscriptReader('s').read(rootUpdate('plan_update', { plan: { entries } }), false)).toEqual(plan);
  });
});
