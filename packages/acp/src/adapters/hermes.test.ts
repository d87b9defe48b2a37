import { describe, expect, it } from 'vitest';
import { factWords } from '../testing/fact-words.ts';
import { Hermes } from './hermes.ts';

const agreement = { protocolVersion: 1, answer: {} } as const;
const METHOD = '_hermes-agent/state_update';

function updates(...params: readonly object[]) {
  const malformed: string[] = [];
  const adapter = new Hermes(agreement, (kind) => malformed.push(kind));
  const facts = params.map((one) => adapter.notified(METHOD, { sessionId: 's', ...one }));
  return { facts, words: facts.map((one) => factWords(one).join(', ')), malformed };
}

const process = (status: string, id = 'p') => ({ type: 'process', id, title: 'build', status });

describe('Hermes', () => {
  it('[S121] hands on the run of a boundary and its stop reason', () => {
    const { facts } = updates(
      { state: 'running', _meta: { runId: 'u1' } },
      { state: 'idle', stopReason: 'end_turn', _meta: { runId: 'u1' } },
    );

    expect(facts.flat()).toEqual([
      { kind: 'foreground', level: 'state', state: 'running', runId: 'u1' },
      { kind: 'foreground', level: 'state', state: 'idle', stopReason: 'end_turn', runId: 'u1' },
    ]);
  });

  it('[S121] says when a run names another origin than the prompt', () => {
    const { facts } = updates({ state: 'running', _meta: { runId: 'u2', origin: 'wake' } });

    expect(facts.flat()).toEqual([
      { kind: 'foreground', level: 'state', state: 'running', runId: 'u2', agentInitiated: true },
    ]);
  });

  it('[S122] lists an item that is over as ended while it stays listed', () => {
    const { words } = updates(
      { state: 'running', background: [process('running')] },
      { state: 'idle', background: [process('failed')] },
      { state: 'idle', background: [] },
    );

    expect(words).toEqual(['list1 [shell], state running', 'list1 [ended shell], state idle', 'list1 [], state idle']);
  });

  it('[S33] gives an id that runs again after its end a new name', () => {
    const { facts } = updates(
      { state: 'idle', background: [process('running')] },
      { state: 'idle', background: [process('completed')] },
      { state: 'idle', background: [] },
      { state: 'idle', background: [process('running')] },
    );

    const names = facts.flat().flatMap((fact) => {
      const evidence = fact.kind === 'attested' ? fact.attestation.evidence : null;
      return evidence?.what === 'roster' ? evidence.items.map((item) => item.names[0]) : [];
    });
    expect(names).toEqual(['process:p', 'process:p', 'process:p#2']);
  });

  it('[S32] keeps the name of an item that a list had omitted', () => {
    const { facts } = updates(
      { state: 'idle', background: [process('running')] },
      { state: 'idle', background: [] },
      { state: 'idle', background: [process('running')] },
    );

    expect(facts[2]).toEqual(facts[0]);
  });

  it.each(['id', 'processId', 'terminalId'])('[S120] takes the id of an item from %s', (key) => {
    const { words } = updates({ state: 'idle', background: [{ type: 'process', [key]: 'p', status: 'running' }] });

    expect(words).toEqual(['list1 [shell], state idle']);
  });

  it('[S123] drops what is malformed and goes on', () => {
    const { words, malformed } = updates(
      { state: 7 },
      { state: 'running', background: [process('running'), { type: 'process' }] },
      { state: 'running', background: 'none' },
      { state: 'running', background: null },
    );

    expect(words).toEqual(['', 'state running', 'state running', 'state running']);
    expect(malformed).toEqual(['state_update', 'background', 'background']);
  });

  it('[S74] is able to report by what was agreed', () => {
    expect(new Hermes(agreement).traits).toMatchObject({ reports: true, wakes: true, agentCycles: true, levels: 1 });
  });
});
