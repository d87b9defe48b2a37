import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { factWords } from '../testing/fact-words.ts';
import { factsOf, readRecording } from '../testing/recording.ts';

function words(recording: string, provider: string): readonly string[] {
  const file = fileURLToPath(new URL(`../../recordings/${recording}.ndjson`, import.meta.url));
  return factWords(factsOf(readRecording(file, { provider })));
}

const BEGUN_V2 = ['begun 1', 'accepted 1', 'list1 []', 'state running'];
const BEGUN_RAW = ['raw running', ...BEGUN_V2, 'raw running'];
const WAKE_RAW = ['list1 []', 'state running', 'output', 'list1 []', 'state idle end_turn', 'raw idle'];

const CLAUDE: readonly (readonly [string, string, readonly string[]])[] = [
  [
    '[S20] joins a background shell of v2 and raw by its call, and lets the wake begin on the raw level',
    'claude-0.101/v2-raw/03-background-bash',
    [
      ...BEGUN_RAW,
      ...['call opens', 'list2 [shell]', '+detached shell', 'background call closes', 'list1 [shell]', 'state running'],
      ...['raw running', 'output', 'list1 [shell]', 'state idle end_turn', 'completed 1', 'raw idle'],
      ...['-run=tool:toolu_bg', 'list1 []', 'state idle', '-run=tool:toolu_bg', 'list2 []', 'raw running', ...WAKE_RAW],
    ],
  ],
  [
    '[S13] ignores raw running while a detached subagent lives, and takes its wake by its request',
    'claude-0.101/v2-raw/06-subagent-background',
    [
      ...BEGUN_RAW,
      ...['list2 [subagent]', '+detached subagent', '=session#1', 'list1 [subagent]', 'state running', 'raw running'],
      ...['output', 'list1 [subagent]', 'state idle end_turn', 'completed 1', 'child call opens'],
      ...['=run=tool:toolu_sub_bgsub', '-run=tool:toolu_sub_bgsub', 'child call closes'],
      ...['-run=session#1=tool:toolu_agent_bg', '-session#1', 'list1 []', 'state idle'],
      ...['-run=session#1=tool:toolu_agent_bg', 'list2 []', 'raw running', ...WAKE_RAW],
    ],
  ],
  [
    '[S32] reads the list of v2 alone',
    'claude-0.101/v2/03-background-bash',
    [
      ...BEGUN_V2,
      ...['call opens', 'call closes', 'list1 [shell]', 'state running', 'output', 'list1 [shell]'],
      ...['state idle end_turn', 'list1 []', 'state idle', 'list1 []', 'state running', 'output', 'list1 []'],
      'state idle end_turn',
    ],
  ],
  [
    '[S30] counts a blocking subagent of v2 while its child session works',
    'claude-0.101/v2/04-subagent-foreground',
    [
      ...BEGUN_V2,
      ...['output', '+subagent', 'child call opens', 'child call closes', '-session#1', 'output', 'list1 []'],
      'state idle end_turn',
    ],
  ],
  [
    '[S11] reads a permission of v2 as a wait within the turn',
    'claude-0.101/v2/08-permission-allow',
    [
      ...BEGUN_V2,
      ...['call opens', 'list1 []', 'state requires_action', 'list1 []', 'state running', 'call closes', 'output'],
      ...['list1 []', 'state idle end_turn'],
    ],
  ],
  [
    '[S9] ends nothing when the bridge is killed',
    'claude-0.101/v2/11-kill-bridge',
    [...BEGUN_V2, 'call opens', 'call closes', 'list1 [shell]', 'state running', 'output'],
  ],
  [
    '[S28] ends a shell of plain v1 by the closing usage of its wake',
    'claude-0.101/v1/03-background-bash',
    [
      ...['accepted 1', 'call opens', '+detached shell', 'background call closes', 'output', 'yielded 1'],
      ...['rpc.settled 1', 'output', '-someone, marked', 'cycle closed'],
    ],
  ],
  [
    '[S26] keeps a detached subagent of plain v1 live after its call was closed',
    'claude-0.101/v1/06-subagent-background',
    [
      ...[
        'accepted 1',
        'call opens',
        '+subagent',
        '+detached subagent',
        'background call closes',
        'output',
        'yielded 1',
      ],
      ...['child call opens', 'child call closes', 'output', '-someone, marked', 'cycle closed', 'rpc.settled 1'],
    ],
  ],
  [
    '[S30] ends a blocking subagent of plain v1 with its own call',
    'claude-0.101/v1/04-subagent-foreground',
    [
      ...['accepted 1', 'output', 'call opens', '+subagent', 'child call opens', 'child call closes'],
      ...['-tool:toolu_agent_a', 'call closes', 'output', 'yielded 1', 'rpc.settled 1'],
    ],
  ],
  [
    '[S29] tells the events of a monitor apart from ends',
    'claude-0.101/v1/07-monitor',
    [
      ...['accepted 1', 'call opens', 'call closes', 'call opens', '+detached monitor', 'background call closes'],
      ...['output', 'yielded 1', 'rpc.settled 1', 'output', '-someone', 'cycle closed', 'output', '-someone'],
      ...['cycle closed', 'output', '-someone', 'cycle closed', 'output', '-someone, marked', 'cycle closed'],
    ],
  ],
  [
    '[S32] says that an armed timer may wake the session, and counts no work',
    'claude-0.101/v2-raw/16-schedule-wakeup',
    [
      ...BEGUN_RAW,
      ...['call opens', 'may wake', 'call closes', 'raw running', 'output', 'list1 []', 'state idle end_turn'],
      ...['completed 1', 'raw idle', 'raw running', 'wakes no more', 'raw running', ...WAKE_RAW],
    ],
  ],
  [
    '[S74] reads 0.49 as plain v1 although it sends parts of the raw channel',
    'claude-0.49/v1-raw/03-background-bash',
    [
      ...['accepted 1', 'call opens', '+detached shell', 'background call closes', 'output', 'rpc.settled 1'],
      ...['output', '-someone', 'cycle closed'],
    ],
  ],
  [
    '[S27] ends a shell by its terminal where v1 tells it, and then nobody by the wake',
    'claude-0.101/v1-subagents/03-background-bash',
    [
      ...['accepted 1', 'call opens', '+detached shell', 'background call closes', 'output', 'yielded 1'],
      ...['rpc.settled 1', '-tool:toolu_bg', 'output', 'cycle closed'],
    ],
  ],
];

describe('Claude', () => {
  it.each(CLAUDE)('%s', (_, recording, expected) => {
    expect(words(recording, 'claude-acp')).toEqual(expected);
  });

  it('[S33] gives a resumed subagent a run of its own on both channels', () => {
    const read = words('claude-0.101/v2-raw/06b-subagent-background-inner-bg-shell', 'claude-acp');

    expect(read).toContain('-run=session#1=tool:toolu_agent_bg');
    expect(read).toContain('=session#2');
    expect(read).toContain('-run=session#2=tool:toolu_agent_bg#2');
  });

  it('[S32] says that a session may wake whose monitor v2 alone cannot show', () => {
    const read = words('claude-0.101/v2/07-monitor', 'claude-acp');

    expect(read).toContain('may wake');
    expect(read.filter((word) => word.startsWith('list1') && word !== 'list1 []')).toEqual([]);
  });

  it('[S65] ends a blocking subagent when its turn is cancelled', () => {
    const read = words('claude-0.101/v2-raw/09d-cancel-foreground-subagent', 'claude-acp');

    expect(read.slice(-5)).toEqual([
      'child call closes',
      'list1 []',
      'state idle cancelled',
      'completed 1',
      'raw idle',
    ]);
    expect(read).toContain('-run=session#1=tool:toolu_agent_a');
  });
});

describe('the other agents', () => {
  it('[S24] attests nothing of Codex, whatever it lists', () => {
    for (const recording of [
      'codex-2.6/v1/03i-background-shell-ends-after-second-turn',
      'codex-2.6/v2/03-background-shell',
    ]) {
      expect(words(recording, 'codex-acp').filter((word) => /^[-+=]|^list/.test(word))).toEqual([]);
    }
  });

  it('[S4] takes no foreground for a Codex call that ends after its turn', () => {
    const read = words('codex-2.6/v1/03i-background-shell-ends-after-second-turn', 'codex-acp');

    expect(read.at(-1)).toBe('background call closes');
  });

  it('[S57] begins a Codex prompt by its user message over v2', () => {
    expect(words('codex-2.6/v2/01-plain-prompt', 'codex-acp')).toEqual([
      'state running',
      'begun 1',
      'accepted 1',
      'output',
      'state idle end_turn',
    ]);
  });

  it.each(['gemini-0.61', 'opencode-1.18', 'qwen-0.15'])('[S24] reads %s by the protocol alone', (agent) => {
    const provider = agent.slice(0, agent.indexOf('-'));
    const read = words(`${agent}/v1/01-plain-prompt`, provider);

    expect(read[0]).toBe('accepted 1');
    expect(read.at(-1)).toBe('rpc.settled 1');
    expect(words(`${agent}/v1/03-background-shell`, provider).filter((word) => /^[-+=]/.test(word))).toEqual([]);
  });
});
