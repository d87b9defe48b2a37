import { fileURLToPath } from 'node:url';
import { DIALECTS, type Dialect } from '@vigil/mock-agent';
import { afterEach, describe, expect, it } from 'vitest';
import { openAgent } from './index.ts';
import { Ears } from './testing/agent-harness.ts';
import { factWords } from './testing/fact-words.ts';
import type { AgentConnection } from './types.ts';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const MOCK = fileURLToPath(new URL('../../mock-agent/src/main.ts', import.meta.url));

let connection: AgentConnection | undefined;

async function open(dialect: Dialect, mockProvider: boolean, provider = 'mock') {
  const ears = new Ears();
  connection = await openAgent({
    launch: {
      agentId: 'mock',
      provider,
      command: process.execPath,
      args: ['--import', 'tsx', MOCK],
      env: { MOCK_AGENT_DIALECT: dialect },
      cwd: PACKAGE,
    },
    cwd: PACKAGE,
    agentSessionId: null,
    startTimeoutMs: 20_000,
    mockProvider,
    sink: ears,
  });
  return { ears, connection };
}

async function play(dialect: Dialect, mockProvider: boolean) {
  const { ears, connection } = await open(dialect, mockProvider);
  await connection.prompt(3, '/shell build for 100ms\n/say started');
  await ears.until((reading) =>
    reading.transcript.some((event) => event.type === 'message' && /woken/i.test(event.text)),
  );
  return { traits: connection.traits, words: factWords(ears.readings.flatMap((reading) => reading.facts)) };
}

afterEach(() => connection?.close());

/** How each dialect says that the shell began, and how that it ended. */
const SAYS: Readonly<Record<Dialect, readonly [string, string] | null>> = {
  'claude-v1': ['+detached shell', 'yielded 3'],
  'claude-v1-raw': ['list2 [shell]', 'list2 []'],
  'acp-v2': ['list1 [shell]', 'list1 []'],
  hermes: ['list1 [shell]', 'list1 [ended shell]'],
  generic: null,
};

describe('the mock', () => {
  it.each(DIALECTS)('[S34] is read in its dialect %s by the adapter of that provider', async (dialect) => {
    const { words, traits } = await play(dialect, true);
    const says = SAYS[dialect];

    for (const word of says ?? []) expect(words).toContain(word);
    expect(traits.reports).toBe(dialect !== 'generic');
    if (says === null) expect(words.filter((word) => /^[-+=]|^list/.test(word))).toEqual([]);
  });

  it('[S65] shows as Claude over v1 child sessions and terminals, which a cancel spares', async () => {
    const { ears, connection } = await open('claude-v1', false, 'claude-acp');
    const words = () => factWords(ears.readings.flatMap((reading) => reading.facts));
    expect(connection.traits.cancelKills).toEqual(['subagent']);

    void connection.prompt(3, '/subagent a until released\n/shell s until released\n/wait 20s');
    await ears.until((reading) => factWords(reading.facts).includes('+detached shell'));
    expect(connection.traits.cancelKills).toEqual([]);
    connection.cancel();
    await ears.until((reading) => factWords(reading.facts).includes('rpc.settled 3'));

    // It blocks, for all that is on the wire, until the turn closes and it is still at work.
    const [began, closed] = [words().indexOf('+subagent'), words().indexOf('detached')];
    expect(began).toBeGreaterThanOrEqual(0);
    expect(closed).toBeGreaterThan(began);
    expect(words().filter((word) => word.startsWith('-'))).toEqual([]);
  });

  it('[S34] attests nothing while it is switched off', async () => {
    const { words, traits } = await play('acp-v2', false);

    expect(words.filter((word) => /^[-+=]|^list/.test(word))).toEqual([]);
    expect(traits.reports).toBe(false);
  });
});
