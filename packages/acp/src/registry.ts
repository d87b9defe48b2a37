import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, isAbsolute, join, sep } from 'node:path';
import type { AgentLaunch } from './types.ts';

/** An agent that operators can choose. */
export interface AgentDefinition {
  readonly id: string;
  /** Names the adapter. */
  readonly provider: string;
  readonly label: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Working folder of the process; null is the server's. */
  readonly cwd: string | null;
}

export type Availability =
  | { readonly available: true; readonly reason: null }
  | { readonly available: false; readonly reason: string };

const PRODUCTS: readonly AgentDefinition[] = [
  builtIn('claude-acp', 'Claude Code', ['npx', '-y', '@agentclientprotocol/claude-agent-acp']),
  builtIn('codex-acp', 'Codex', ['npx', '-y', '@agentclientprotocol/codex-acp']),
  builtIn('opencode', 'opencode', ['opencode', 'acp']),
  builtIn('gemini', 'Gemini CLI', ['gemini', '--experimental-acp']),
  builtIn('qwen', 'Qwen Code', ['qwen', '--experimental-acp']),
  builtIn('hermes', 'Hermes', ['hermes', 'acp']),
];

const MOCKS = [
  ['mock', 'Mock (Claude over ACP v1)', 'claude-v1'],
  ['mock-v2', 'Mock (ACP v2)', 'acp-v2'],
  ['mock-hermes', 'Mock (Hermes)', 'hermes'],
] as const;

/** The agents that come with Vigil. `mock` is the command of the mock agent; null where it is switched off (S34). */
export function builtInAgents(
  mock: { readonly command: string; readonly args: readonly string[] } | null,
): readonly AgentDefinition[] {
  if (!mock) return PRODUCTS;
  const mocks = MOCKS.map(([id, label, dialect]) => ({
    ...builtIn(id, label, [mock.command, ...mock.args]),
    provider: 'mock',
    env: { MOCK_AGENT_DIALECT: dialect },
  }));
  return [...PRODUCTS, ...mocks];
}

/** The provider that a built-in id stands for; null for an id of an operator's own. */
export function providerOfBuiltIn(id: string): string | null {
  if (MOCKS.some(([mock]) => mock === id)) return 'mock';
  return PRODUCTS.some((agent) => agent.id === id) ? id : null;
}

/** How to start the agent, from a server that runs in `cwd`. */
export function launchOf(agent: AgentDefinition, cwd: string): AgentLaunch {
  const { id, provider, command, args, env } = agent;
  return { agentId: id, provider, command, args, env, cwd: agent.cwd ?? cwd };
}

/** Whether the agent's command can be found; says what to do when not. */
export async function availabilityOf(agent: AgentDefinition, cwd: string): Promise<Availability> {
  const path = agent.env.PATH ?? process.env.PATH ?? '';
  const places = agent.command.includes(sep)
    ? [isAbsolute(agent.command) ? agent.command : join(agent.cwd ?? cwd, agent.command)]
    : path.split(delimiter).map((folder) => join(folder, agent.command));
  for (const place of places) {
    if (await isExecutable(place)) return { available: true, reason: null };
  }
  return {
    available: false,
    reason: `the command "${agent.command}" was not found; install it, or name another one in VIGIL_AGENTS_FILE`,
  };
}

async function isExecutable(place: string): Promise<boolean> {
  return access(place, constants.X_OK).then(
    () => true,
    () => false,
  );
}

function builtIn(id: string, label: string, [command, ...args]: readonly [string, ...string[]]): AgentDefinition {
  return { id, provider: id, label, command, args, env: {}, cwd: null };
}
