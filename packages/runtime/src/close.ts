import { endExecution } from './execution-scope.ts';
import type { Runtime } from './runtime.ts';

/** How long a close may take where nobody says, in ms. */
export const CLOSE_WITHIN_MS = 9_000;
/** Kept of that for writing what the ends of the agents change, in ms. */
const WRITE_MS = 1_500;

/**
 * Sessions become idle, agents are ended, what is left is written while the database takes it; all of it until `by`, a
 * time of `performance.now()`. True when everything was done.
 */
export async function close(runtime: Runtime, how: { stopWatching: () => void; by: number }): Promise<boolean> {
  const { board, feed, executions, records, deps } = runtime;
  runtime.closing = true;
  runtime.endBy = how.by - WRITE_MS;
  how.stopWatching();
  feed.close('the server stops');
  for (const entry of board.sessions.values()) entry.audience.close('the server stops');
  const all = [...executions.values()];
  for (const execution of all) endExecution(runtime, execution, { cause: 'stopped', error: null });
  runtime.clock.stop();
  // While agents take their time, the database has its own for what is known already.
  const early = records.flush();
  const writing = async (): Promise<boolean> => {
    await early;
    await records.flush();
    return true;
  };
  const ended = await doneBy(endAgents(runtime), runtime.endBy);
  const written = await doneBy(writing(), how.by);
  if (!ended) deps.log.error({ agents: executions.size }, 'stopped before every agent had ended');
  if (!written || records.trouble !== null)
    deps.log.error({ trouble: records.trouble }, 'stopped before everything was written');
  return ended && written && records.trouble === null;
}

async function endAgents({ executions, deps }: Runtime): Promise<boolean> {
  const ends = await Promise.allSettled([...executions.values()].map((execution) => execution.close()));
  for (const end of ends)
    if (end.status === 'rejected') deps.log.error({ err: end.reason }, 'an agent process could not be ended');
  return ends.every((end) => end.status === 'fulfilled');
}

/** The work's own value, or false when the time came first. */
async function doneBy(work: Promise<boolean>, by: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.max(0, by - performance.now()));
  });
  const done = await Promise.race([work, deadline]);
  clearTimeout(timer);
  return done;
}
