import { describe, expect, it } from 'vitest';
import { factWords } from '../testing/fact-words.ts';
import { childUpdate, rootUpdate } from '../testing/update.ts';
import { AcpV2 } from './acp-v2.ts';
import type { SessionUpdate } from './adapter.ts';

const shell = { type: 'terminal', terminalId: 't1' };
const running = (background?: unknown) => rootUpdate('state_update', { state: 'running', background });

function namesOf(update: SessionUpdate, adapter = new AcpV2()): readonly string[] {
  return adapter.update(update).flatMap((fact) => {
    const evidence = fact.kind === 'attested' ? fact.attestation.evidence : null;
    return evidence?.what === 'roster' ? evidence.items.map((item) => item.names[0]) : [];
  });
}

describe('background lists by protocol', () => {
  it('[S32] registers what is listed, with its kind', () => {
    const items = [shell, { type: 'subagent', sessionId: 'c' }, { type: 'tool_call', toolCallId: 'x' }];

    expect(factWords(new AcpV2().update(running(items)))).toEqual(['list1 [shell, subagent, other]', 'state running']);
  });

  it.each([
    ['omitted', undefined],
    ['null', null],
    ['no list', { 0: shell }],
    ['an item without its id', [shell, { type: 'terminal' }]],
    ['an item without a type', [{ terminalId: 't1' }]],
    ['an item that is text', ['t1']],
  ])('[S32, S123] takes a list that is %s as not reported', (_, list) => {
    const malformed: string[] = [];
    const adapter = new AcpV2({ malformed: (kind) => malformed.push(kind) });

    expect(factWords(adapter.update(running(list)))).toEqual(['state running']);
    expect(malformed).toEqual(list === undefined || list === null ? [] : ['background']);
  });

  it('[S32] takes an empty list as nothing at work', () => {
    expect(factWords(new AcpV2().update(running([])))).toEqual(['list1 []', 'state running']);
  });

  it('[S32] takes lists as sets', () => {
    const other = { type: 'terminal', terminalId: 't2' };

    expect(namesOf(running([shell, other, shell]))).toEqual(['terminal:t1', 'terminal:t2']);
    expect([...namesOf(running([other, shell]))].sort()).toEqual(['terminal:t1', 'terminal:t2']);
  });

  it('[S32] keeps an item of an unknown type live, however its keys are ordered', () => {
    const first = namesOf(running([{ type: 'cloud', job: 'j', region: 'r' }]));

    expect(first).toHaveLength(1);
    expect(namesOf(running([{ region: 'r', job: 'j', type: 'cloud', _meta: { seen: 1 } }]))).toEqual(first);
  });

  it('[S31] adds the lists of listed children to that of the root', () => {
    const adapter = new AcpV2();
    adapter.update(running([{ type: 'subagent', sessionId: 'c' }]));

    const update = childUpdate('c', 'state_update', {
      state: 'idle',
      background: [{ type: 'subagent', sessionId: 'g' }],
    });

    expect(namesOf(update, adapter)).toEqual(['session:c#1', 'session:g#1']);
  });

  it('[S33] names a child that works again after its own idle anew', () => {
    const adapter = new AcpV2();
    const state = (value: string) => childUpdate('c', 'state_update', { state: value });
    adapter.update(running([]));

    const read = ['running', 'running', 'idle', 'idle', 'running'].flatMap((value) => adapter.update(state(value)));

    const names = read.flatMap((fact) => {
      const evidence = fact.kind === 'attested' ? fact.attestation.evidence : null;
      return evidence && 'names' in evidence ? [`${evidence.what} ${evidence.names[0]}`] : [];
    });
    expect(names).toEqual(['started session:c#1', 'ended session:c#1', 'started session:c#2']);
  });

  it('[S24] attests no child of an agent that never listed anything', () => {
    const adapter = new AcpV2();

    expect(adapter.update(childUpdate('c', 'state_update', { state: 'running' }))).toEqual([]);
  });

  it('[S9] reads a state that it does not know as unknown', () => {
    const states = ['dreaming', 'unknown', undefined].map((state) => rootUpdate('state_update', { state }));

    expect(states.flatMap((update) => factWords(new AcpV2().update(update)))).toEqual(Array(3).fill('state unknown'));
  });

  it('[S43] takes nothing for the foreground that a child says', () => {
    const adapter = new AcpV2();
    const text = { content: { type: 'text', text: 'hello' }, messageId: 'm' };

    expect(adapter.update(childUpdate('c', 'agent_message_chunk', text))).toEqual([]);
    expect(factWords(adapter.update(childUpdate('c', 'tool_call_update', { toolCallId: 'x' })))).toEqual([
      'child call opens',
    ]);
  });

  it('[S4] takes empty text for nothing, and text of an ended turn for late', () => {
    const adapter = new AcpV2();
    const chunk = (text: string) =>
      rootUpdate('agent_message_chunk', { content: { type: 'text', text }, messageId: 'm' });

    expect(adapter.update(chunk(''))).toEqual([]);
    expect(factWords(adapter.update(chunk('a')))).toEqual(['output']);
    adapter.update(rootUpdate('state_update', { state: 'idle', stopReason: 'end_turn' }));
    expect(factWords(adapter.update(chunk('b')))).toEqual(['late output']);
  });

  it('[S131] knows how a listed terminal is stopped', () => {
    const adapter = new AcpV2();
    adapter.update(rootUpdate('terminal_update', { terminalId: 't1', command: 'sleep', capabilities: { cancel: {} } }));

    expect(adapter.stopTarget('terminal:t1')).toEqual({ how: 'terminal', sessionId: 'root', terminalId: 't1' });
    adapter.update(rootUpdate('terminal_update', { terminalId: 't1', exitStatus: {}, capabilities: null }));
    expect(adapter.stopTarget('terminal:t1')).toBeNull();
  });
});

describe('prompts of ACP v2', () => {
  it('[S57] gives each user message to the oldest prompt that has not begun', () => {
    const adapter = new AcpV2();
    adapter.written(7);
    adapter.written(9);

    const begun = ['a', 'b'].flatMap((messageId) => adapter.update(rootUpdate('user_message', { messageId })));

    expect(factWords(begun)).toEqual(['begun 7', 'begun 9']);
  });

  it('[S57] begins a prompt by the answer to its request where no user message came', () => {
    const adapter = new AcpV2();
    adapter.written(7);

    expect(factWords(adapter.answered(7, { ok: true, result: { messageId: 'a' } }))).toEqual(['begun 7', 'accepted 7']);
    expect(adapter.update(rootUpdate('user_message', { messageId: 'a' }))).toEqual([]);
  });

  it('[S56] rejects a prompt only before it has begun', () => {
    const error = { ok: false, code: -32800, message: 'cancelled', data: null } as const;
    const adapter = new AcpV2();
    adapter.written(7);
    adapter.written(9);
    adapter.update(rootUpdate('user_message', { messageId: 'a' }));

    expect(factWords(adapter.answered(9, error))).toEqual(['rejected 9']);
    expect(factWords(adapter.answered(7, error))).toEqual(['accepted 7', 'completed 7']);
  });
});
