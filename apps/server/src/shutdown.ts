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

/** One deadline for all that a stop does, in ms. */
export const STOP_WITHIN_MS = 9_000;

/**
 * Ends a server in the order that loses nothing: nothing new is admitted, streams are sent away to come back, agents are
 * ended and what they said is written, then the web app goes and the port is given back. All of them share one deadline
 * and run side by side; what is not done by then is left. Never throws; false when something was left.
 */
export async function shutDown({ http, composition, web, log }: ShutdownParts): Promise<boolean> {
  const by = performance.now() + STOP_WITHIN_MS;
  const drained = drain(http);
  http.endStreams();
  const steps = [
    ['connections', drained],
    ['agents and database', composition?.close(by)],
    ['web app', web?.close()],
  ] as const;
  const ends = await Promise.all(
    steps.map(async ([name, step]) => {
      try {
        return await within(Promise.resolve(step), by);
      } catch (cause) {
        log.error({ err: cause }, `stopping failed: ${name}`);
        return false;
      }
    }),
  );
  return ends.every((end) => end !== false);
}

/** The step's own value, or a failure when the deadline comes first. */
async function within<T>(step: Promise<T>, by: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const ms = Math.max(0, by - performance.now());
    timer = setTimeout(() => reject(new Error('Expected it to be done before the deadline of the stop.')), ms);
  });
  try {
    return await Promise.race([step, late]);
  } finally {
    clearTimeout(timer);
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
