import type { Session } from '@vigil/client';

export function nameOf(session: Pick<Session, 'title' | 'agentId'>): string {
  return session.title.trim() || session.agentId;
}
