import { AgentSession } from './agent-session.ts';
import type { AgentConnection, OpenOptions } from './types.ts';

/**
 * Starts an agent, agrees on a protocol and has the conversation. Rejects with an `AgentError` that names the command
 * and the cause when that fails, after the process tree is ended; the sink's `gone` is not called then.
 */
export async function openAgent(options: OpenOptions): Promise<AgentConnection> {
  const session = new AgentSession(options);
  const abort = () => session.abort('the opening was given up');
  options.signal?.addEventListener('abort', abort, { once: true });
  try {
    if (options.signal?.aborted) abort();
    await session.open();
    return session;
  } catch (error) {
    await endOrLog(session, options);
    throw error;
  } finally {
    options.signal?.removeEventListener('abort', abort);
  }
}

/** Why it could not be opened matters more than that it does not end either. */
async function endOrLog(session: AgentSession, { sink }: OpenOptions): Promise<void> {
  try {
    await session.close();
  } catch (error) {
    const message = 'an agent that could not be opened does not end';
    sink.log({ level: 'warn', message, data: { cause: error instanceof Error ? error.message : String(error) } });
  }
}
