/** Codes of the failures that this package throws. */
export const AGENT_ERROR_CODES = [
  'start_failed',
  'start_timeout',
  'handshake_failed',
  'stop_failed',
  'agents_file_invalid',
] as const;

export type AgentErrorCode = (typeof AGENT_ERROR_CODES)[number];

/** An agent that could not be started, agreed with or ended, or a list of agents that cannot be read. */
export class AgentError extends Error {
  readonly code: AgentErrorCode;

  constructor(code: AgentErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'AgentError';
    this.code = code;
  }
}
