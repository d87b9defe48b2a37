import { createRequire } from 'node:module';

/**
 * The path of the agent's built program, to be run as `node <path>`. Throws while the package is not built.
 * It is found as a package and not beside this module, which its users may bundle into a program of their own.
 */
export function mockAgentPath(): string {
  try {
    return createRequire(import.meta.url).resolve('@vigil/mock-agent/program');
  } catch (cause) {
    throw new Error('Expected the mock agent to be built: pnpm --filter @vigil/mock-agent build', { cause });
  }
}
