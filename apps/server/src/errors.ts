/** Why a server does not start although its settings are right: what was expected, what came and what to do. */
export class StartError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'StartError';
  }
}
