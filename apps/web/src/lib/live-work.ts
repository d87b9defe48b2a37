import type { Session } from '@vigil/client';
import { labels, statusOf } from '@vigil/ui';
import { nameOf } from '../session/session-name.ts';

export interface LiveWork {
  readonly id: string;
  readonly text: string;
}

function workOf(session: Session): LiveWork[] {
  const name = nameOf(session);
  const found: LiveWork[] = [];
  if (session.state === 'starting' || session.state === 'running') {
    found.push({ id: session.id, text: labels.remove.session(name, statusOf(session).label) });
  }
  for (const { id, executionId, kind, label } of session.workloads) {
    const text = labels.remove.workload(labels.session.workload[kind], label, name);
    found.push({ id: `${executionId}/${id}`, text });
  }
  if (session.awaitingFollowUp) found.push({ id: `${session.id}/follow-up`, text: labels.remove.followUp(name) });
  return found;
}

/** What ending the sessions would stop, whatever the policy shows of it (W4): turns, live workloads, follow-ups. */
export function liveWorkOf(sessions: readonly Session[]): readonly LiveWork[] {
  return sessions.flatMap(workOf);
}
