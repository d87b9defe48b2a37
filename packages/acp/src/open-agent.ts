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
    await session.close().catch((cause: unknown) => {
      options.sink.log({ level: 'warn', message: 'could not end an agent that was not opened', data: { cause } });
    });
    throw error;
  } finally {
    options.signal?.removeEventListener('abort', abort);
  }
}
