import type { Vigil } from '@vigil/runtime';

/** Where a call comes from. */
export interface Caller {
  readonly transport: 'http' | 'ws';
  /** The browser's origin; null for programs, which send none. */
  readonly origin: string | null;
  /** Resolves when what was sent to it is on its way, so that a slow reader finds the latest values, not all (S103). */
  drained(): Promise<void>;
}

/** What every procedure is given. It names no database type, so the client's declarations stay small. */
export interface Context {
  readonly vigil: Vigil;
  readonly caller: Caller;
  /** Aborted when the server stops: streams then end with `SERVICE_UNAVAILABLE`, so that clients come back. */
  readonly stopping: AbortSignal;
}
