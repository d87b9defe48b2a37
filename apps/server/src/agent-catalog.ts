import { fileURLToPath } from 'node:url';
import { type AgentDefinition, availabilityOf, builtInAgents, launchOf } from '@vigil/acp';
import type { AgentInfo, AgentRegistry, LaunchAnswer } from '@vigil/runtime';

/** Seen from `src` and from `dist` alike. The package itself cannot know it from within this server's bundle. */
const MOCK_AGENT = fileURLToPath(new URL('../../../packages/mock-agent/dist/main.mjs', import.meta.url));

/** The agents that come with Vigil, the mock among them while it is switched on (S34). */
export function builtIns(mockProvider: boolean): readonly AgentDefinition[] {
  return builtInAgents(mockProvider ? { command: process.execPath, args: [MOCK_AGENT] } : null);
}

/** The configured agents, and whether each can be started here. */
export class AgentCatalog implements AgentRegistry {
  readonly #agents: ReadonlyMap<string, AgentDefinition>;
  readonly #cwd: string;

  constructor(agents: readonly AgentDefinition[], cwd: string) {
    this.#agents = new Map(agents.map((agent) => [agent.id, agent]));
    this.#cwd = cwd;
  }

  list(): Promise<AgentInfo[]> {
    return Promise.all(
      [...this.#agents.values()].map(async (agent) => ({
        id: agent.id,
        provider: agent.provider,
        label: agent.label,
        ...(await availabilityOf(agent, this.#cwd)),
      })),
    );
  }

  launch(agentId: string): LaunchAnswer {
    const agent = this.#agents.get(agentId);
    if (agent !== undefined) return { launch: launchOf(agent, this.#cwd) };
    const known = [...this.#agents.keys()].join(', ');
    return { launch: null, reason: `there is no agent "${agentId}"; configured are: ${known}` };
  }
}
