import { describe, expect, it } from 'vitest';
import { childUpdate, rootUpdate } from '../testing/update.ts';
import { openingSettings, TranscriptReader } from './transcript-reader.ts';

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

  it('replaces a message that comes whole, and one of a history that is told again', () => {
    const reader = new TranscriptReader('s');
    const read = (kind: string, value: string, replay: boolean) =>
      reader.read(rootUpdate(kind, { ...text(value), messageId: 'm' }), replay);

    expect(read('agent_message', 'whole', false)).toMatchObject([{ text: 'whole', mode: 'replace' }]);
    expect(read('agent_message_chunk', 'once ', true)).toMatchObject([{ text: 'once ', mode: 'replace' }]);
    expect(read('agent_message_chunk', 'upon', true)).toMatchObject([{ text: 'once upon', mode: 'replace' }]);
  });

  it('keeps the end of a terminal’s output, in whole characters, and no more than its limit', () => {
    const reader = new TranscriptReader('s');
    const shown = [{ type: 'terminal', terminalId: 't' }];
    reader.read(rootUpdate('tool_call', { toolCallId: 'x', content: shown }), false);
    const chunk = (bytes: Buffer) =>
      reader.read(rootUpdate('terminal_output_chunk', { terminalId: 't', data: bytes.toString('base64') }), false);
    for (let nth = 0; nth < 200; nth += 1) chunk(Buffer.from('ä'.repeat(10_000)));
    const cut = Buffer.from('ö');
    chunk(cut.subarray(0, 1));
    const events = chunk(cut.subarray(1));

    const event = events[0];
    const shownNow = event?.type === 'tool' ? event.content?.[0] : undefined;
    const output = shownNow?.type === 'terminal' ? shownNow.output : '';
    expect(output.length).toBe(64 * 1024);
    expect(output.slice(-3)).toBe('ääö');
  });

  it('tells usage and cost of the root alone', () => {
    const reader = new TranscriptReader('s');
    const body = { used: 10, size: 200, cost: { amount: 0.5, currency: 'USD' } };

    expect(reader.read(rootUpdate('usage_update', body), false)).toEqual([
      { type: 'usage', used: 10, size: 200, cost: 0.5 },
    ]);
    expect(reader.read(childUpdate('c', 'usage_update', body), false)).toEqual([]);
    expect(reader.read(rootUpdate('usage_update', { used: '10', cost: 'much' }), false)).toEqual([
      { type: 'usage', used: null, size: null, cost: null },
    ]);
  });

  it('tells mode and model of both protocols', () => {
    const reader = new TranscriptReader('s');
    const configOptions = [
      { configId: 'm', category: 'model', type: 'select', currentValue: 'big' },
      { configId: 'p', category: 'mode', type: 'select', currentValue: 'plan' },
      { configId: 't', category: 'thought_level', currentValue: 'high' },
      { category: 'model' },
    ];

    expect(reader.read(rootUpdate('current_mode_update', { currentModeId: 'plan' }), false)).toEqual([
      { type: 'setting', name: 'mode', value: 'plan' },
    ]);
    expect(reader.read(rootUpdate('config_option_update', { configOptions }), false)).toEqual([
      { type: 'setting', name: 'model', value: 'big' },
      { type: 'setting', name: 'mode', value: 'plan' },
    ]);
    expect(reader.read(childUpdate('c', 'config_option_update', { configOptions }), false)).toEqual([]);
  });

  it('tells mode and model as the opening answer has them, in each protocol’s words', () => {
    const mode = { type: 'setting', name: 'mode', value: 'plan' };
    const model = { type: 'setting', name: 'model', value: 'big' };

    expect(openingSettings({ modes: { currentModeId: 'plan' }, models: { currentModelId: 'big' } })).toEqual([
      mode,
      model,
    ]);
    expect(openingSettings({ configOptions: [{ category: 'mode', currentValue: 'plan' }] })).toEqual([mode]);
    expect(openingSettings({ modes: 7, models: null })).toEqual([]);
  });
});
