import type { Database } from '@vigil/db';
import type { Log } from './deps.ts';
import type { Session } from './types.ts';

type Change = Omit<Parameters<Database['sessions']['transition']>[1], 'from'>;

/** Stores a change of a session's coarse state where the stored one is as expected, or says that it was not (S142). */
export async function storeState(
  { sessions }: Database,
  log: Log,
  { id, from, change }: { id: string; from: Session['state']; change: Change },
): Promise<void> {
  const answer = await sessions.transition(id, { ...change, from: [from] });
  // A write in between was given up: the record is right.
  if (!answer.applied && answer.state !== null && answer.state !== change.to) {
    log.warn({ sessionId: id, stored: answer.state, expected: from }, 'the stored state had fallen behind');
    await sessions.transition(id, { ...change, from: [answer.state] });
  }
}
