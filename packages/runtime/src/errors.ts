/** Codes of expected failures. The API maps each to one tRPC code; docs/errors.md explains each. */
export const ERROR_CODES = ['not_found', 'bad_input', 'conflict', 'unavailable', 'internal'] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** An expected failure: what was expected, what came and what to do are in the message. */
export class VigilError extends Error {
  readonly code: ErrorCode;
  /** Machine-readable reason of a `conflict`, such as `prompt_in_progress` or `stop_failed` (S80, S114). */
  readonly reason: string | null;

  constructor(code: ErrorCode, message: string, options: { reason?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'VigilError';
    this.code = code;
    this.reason = options.reason ?? null;
  }
}
