export { AGENT_ERROR_CODES, AgentError, type AgentErrorCode } from './errors.ts';
export { openAgent } from './open-agent.ts';
export type * from './types.ts';
