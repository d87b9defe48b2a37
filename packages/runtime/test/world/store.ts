import {
  DatabaseError,
  type ExecutionRow,
  LIVE_SESSION_STATES,
  type MessageRow,
  type PendingRequestRow,
  type PromptRow,
  type SessionRow,
  type SessionState,
  type TaskRow,
  type TransitionRow,
} from '@vigil/db';

/** The tables of the fake database. Rows are replaced, never changed, so that what was answered stays as it was. */
export class Store {
  readonly tasks = new Map<string, TaskRow>();
  readonly sessions = new Map<string, SessionRow>();
  readonly transitions: TransitionRow[] = [];
  readonly executions = new Map<string, ExecutionRow>();
  readonly prompts = new Map<string, PromptRow>();
  readonly messages = new Map<string, Map<string, MessageRow>>();
  readonly requests = new Map<string, PendingRequestRow>();
  readonly settings = new Map<string, unknown>();
  readonly overrides = new Map<string, boolean>();
  readonly now: () => string;

  constructor(now: () => string) {
    this.now = now;
  }

  /** A foreign key. */
  mustHaveSession(id: string): void {
    if (!this.sessions.has(id)) throw new DatabaseError('unknown_reference', `there is no session ${id}`);
  }

  mustHaveTask(id: string | null): void {
    if (id !== null && !this.tasks.has(id)) throw new DatabaseError('unknown_reference', `there is no task ${id}`);
  }

  mustBeNew(rows: ReadonlyMap<string, unknown>, id: string): void {
    if (rows.has(id)) throw new DatabaseError('already_exists', `${id} exists`);
  }

  /** Takes what a session owns with it. */
  dropSession(id: string): boolean {
    for (const rows of [this.executions, this.prompts, this.requests]) {
      for (const [key, row] of rows) if (row.sessionId === id) rows.delete(key);
    }
    this.messages.delete(id);
    const kept = this.transitions.filter((row) => row.sessionId !== id);
    this.transitions.splice(0, this.transitions.length, ...kept);
    return this.sessions.delete(id);
  }
}

export const isLive = (state: SessionState): boolean => LIVE_SESSION_STATES.some((live) => live === state);

/** The row with the fields of the patch; an undefined one stays as it is. */
export function patched<T extends object>(row: T, patch: object): T {
  return { ...row, ...Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) };
}

/** What jsonb keeps of a value. */
export const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

type Key = string | number;

/** Orders by several columns. */
export function by<T>(...columns: ((row: T) => Key)[]): (a: T, b: T) => number {
  return (a, b) => {
    for (const column of columns) {
      const [x, y] = [column(a), column(b)];
      if (x !== y) return x < y ? -1 : 1;
    }
    return 0;
  };
}
