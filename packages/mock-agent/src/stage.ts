import type { Session } from './session.ts';
import type { Turn } from './turn.ts';

/** A turn on its session, as the steps of a script see them. */
export interface Stage {
  readonly session: Session;
  readonly turn: Turn;
}
