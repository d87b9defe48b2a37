import type { Composition } from './compose.ts';
import type { Http } from './http.ts';
import type { Logger } from './logger.ts';
import type { Web } from './web.ts';

/** Keep-alive sockets turn idle one by one as their last answers go out, in ms. */
const SWEEP_MS = 25;
/** How long answers and sockets may take to end by themselves, in ms. */
const GRACE_MS = 2_000;

export interface ShutdownParts {
  readonly http: Http;
  /** Null where the start failed before it. */
  readonly composition: Composition | null;
  readonly web: Web | null;
  readonly log: Logger;
}

/**
 * Ends a server in the order that loses nothing: nothing new is admitted, streams are sent away to come back, agents are
 * ended and what they said is written, then the web app goes and the port is given back. Never throws.
 */
export async function shutDown({ http, composition, web, log }: ShutdownParts): Promise<void> {
  const drained = drain(http);
  http.endStreams();
  const steps = [
    ['connections', drained],
    ['agents and database', composition?.close()],
    ['web app', web?.close()],
  ] as const;
  for (const [name, step] of steps) {
    try {
      await step;
    } catch (cause) {
      log.error({ err: cause }, `stopping failed: ${name}`);
    }
  }
}

async function drain(http: Http): Promise<void> {
  const { server, connections } = http;
  const closed = new Promise<void>((resolve) => {
    if (server.listening) server.once('close', resolve);
    else resolve();
  });
  http.stopAdmitting();
  const sweep = setInterval(() => connections.closeIdle(), SWEEP_MS);
  const cut = setTimeout(() => connections.cut(), GRACE_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}
