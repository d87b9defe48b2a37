import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { availabilityOf, builtInAgents, launchOf, readAgents } from './index.ts';

let folder = '';
const MOCK = { command: 'node', args: ['mock.mjs'] };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agents-'));
});

afterEach(() => rm(folder, { recursive: true }));

async function agentsOf(content: unknown) {
  const path = join(folder, 'agents.json');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  const agents = await readAgents(path, builtInAgents(MOCK));
  return new Map(agents.map((agent) => [agent.id, agent]));
}

describe('built-in agents', () => {
  it('[S34] offers the mocks only where they are switched on', () => {
    const ids = ['claude-acp', 'codex-acp', 'opencode', 'gemini', 'qwen', 'hermes'];

    expect(builtInAgents(null).map((agent) => agent.id)).toEqual(ids);
    expect(builtInAgents(MOCK).map((agent) => agent.id)).toEqual([...ids, 'mock', 'mock-v2', 'mock-hermes']);
  });

  it('[S34] gives every mock the provider of mocks and its dialect', () => {
    const mocks = builtInAgents(MOCK).filter((agent) => agent.provider === 'mock');

    expect(mocks.map((agent) => agent.env.MOCK_AGENT_DIALECT)).toEqual(['claude-v1', 'acp-v2', 'hermes']);
  });

  it('says what to do about a command that is not there', async () => {
    const [claude] = builtInAgents(null);
    if (!claude) throw new Error('no agent');

    expect(await availabilityOf({ ...claude, command: 'no-such-agent-here' }, folder)).toEqual({
      available: false,
      reason: expect.stringContaining('VIGIL_AGENTS_FILE'),
    });
    expect(await availabilityOf({ ...claude, command: process.execPath }, folder)).toEqual({
      available: true,
      reason: null,
    });
  });
});

describe('the agents file', () => {
  it('[S72] keeps the provider of a built-in whose command it replaces', async () => {
    await writeFile(join(folder, 'replay.mjs'), '');
    const agents = await agentsOf({
      agents: { 'claude-acp': { command: 'node', args: ['replay.mjs', 'none.ndjson', '--x'] } },
    });

    const claude = agents.get('claude-acp');
    expect(claude).toMatchObject({ provider: 'claude-acp', label: 'Claude Code', command: 'node' });
    expect(claude?.args).toEqual([join(folder, 'replay.mjs'), 'none.ndjson', '--x']);
  });

  it('[S72] takes an agent of its own for generic unless it says otherwise', async () => {
    const agents = await agentsOf({
      agents: { mine: { command: './run.sh', cwd: 'work' }, other: { command: 'x', provider: 'gemini' } },
    });

    expect(agents.get('mine')).toMatchObject({
      provider: 'generic',
      label: 'mine',
      command: join(folder, 'run.sh'),
      cwd: join(folder, 'work'),
    });
    expect(agents.get('other')?.provider).toBe('gemini');
  });

  it('starts an agent in its own folder, or in the server’s', async () => {
    const agents = await agentsOf({ agents: { mine: { command: 'x', cwd: 'work' } } });

    const cwds = [...agents.values()].map((agent) => launchOf(agent, '/server').cwd);
    expect(new Set(cwds)).toEqual(new Set(['/server', join(folder, 'work')]));
  });

  it.each([
    ['no JSON', '{', /expected a JSON file/],
    ['no command', { agents: { mine: {} } }, /agents\.mine\.command/],
    ['an unknown key', { agents: { mine: { command: 'x', arg: [] } } }, /agents\.mine: .*arg/],
    ['an id with a space', { agents: { 'my agent': { command: 'x' } } }, /an agent id has letters/],
    [
      'another provider for a built-in',
      { agents: { gemini: { command: 'x', provider: 'mock' } } },
      /keeps its provider "gemini"/,
    ],
  ])('[S72] refuses %s, and says where', async (_, content, message) => {
    await expect(agentsOf(content)).rejects.toMatchObject({
      code: 'agents_file_invalid',
      message: expect.stringMatching(message),
    });
  });
});
