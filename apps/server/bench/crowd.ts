import { fileURLToPath } from 'node:url';
import { type VigilClient, watchActivity } from '@vigil/client';
import { type Server, type ServerOptions, startServer } from '../test/server-process.ts';

const AGENT = fileURLToPath(new URL('./lean-agent.pl', import.meta.url));
/** Agents that start at a time. */
const AT_ONCE = 20;

/** A server of its own with so many live sessions, each of a real agent process. */
export async function crowd(sessions: number, options: ServerOptions & { log?: string } = {}) {
  const { log, ...rest } = options;
  const args = [AGENT, ...(log === undefined ? [] : [log])];
  const server = await startServer({ built: true, ...rest, agents: { lean: { command: 'perl', args } } });
  return { server, ids: await populate(server, sessions) };
}

async function populate(server: Server, sessions: number): Promise<readonly string[]> {
  const { api } = server.client;
  const task = await api.task.create.mutate({ title: 'bench' });
  const ids: string[] = [];
  for (let from = 0; from < sessions; from += AT_ONCE) {
    const batch = Array.from({ length: Math.min(AT_ONCE, sessions - from) }, async () => {
      const { id } = await api.session.create.mutate({ taskId: task.id, agentId: 'lean' });
      await submit(server.client, id, 'hello');
      return id;
    });
    ids.push(...(await Promise.all(batch)));
    await free(server.client, ids.slice(-AT_ONCE));
  }
  return ids;
}

export const submit = (client: VigilClient, sessionId: string, text: string) =>
  client.api.session.submit.mutate({ sessionId, text, clientKey: text === 'hello' ? 'hello' : `${text}` });

/** Until all of these take a prompt again, as a client is told. */
export async function free(client: VigilClient, ids: readonly string[]): Promise<void> {
  const busy = new Set(ids);
  const watch = watchActivity(client);
  await watch.until(({ view }) => {
    for (const id of busy) {
      const session = view.sessions.get(id);
      if (session?.state === 'failed') throw new Error(`the agent of ${id} failed: ${session.error}`);
      if (session?.state === 'waiting_for_input') busy.delete(id);
    }
    return busy.size === 0 || undefined;
  });
  watch.stop();
}
