import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The path of the agent's built program, to be run as `node <path>`.
 * It is found from this module's own place, in the sources as well as in `dist`; build the package first.
 */
export function mockAgentPath(): string {
  const beside = fileURLToPath(new URL('./main.mjs', import.meta.url));
  return existsSync(beside) ? beside : fileURLToPath(new URL('../dist/main.mjs', import.meta.url));
}
