import type { DatabaseError } from './errors.ts';
import type {
  ExecutionRepository,
  FeatureRepository,
  MessageRepository,
  PromptRepository,
  RequestRepository,
  SessionRepository,
  SettingsRepository,
  TaskRepository,
  UserRepository,
} from './repositories.ts';
import type { Board } from './rows.ts';

/** All that Vigil keeps. Every method rejects with a `DatabaseError` and nothing else. */
export interface Database {
  readonly kind: 'embedded' | 'postgres';
  readonly tasks: TaskRepository;
  readonly sessions: SessionRepository;
  readonly executions: ExecutionRepository;
  readonly prompts: PromptRepository;
  readonly messages: MessageRepository;
  readonly requests: RequestRepository;
  readonly settings: SettingsRepository;
  readonly features: FeatureRepository;
  readonly users: UserRepository;
  /** What a server needs at boot, in a number of queries that does not depend on how much there is. */
  loadBoard(): Promise<Board>;
  /** Brings the schema up to date; safe to call at every boot. */
  migrate(): Promise<void>;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  /** Refuses new calls, waits for those under way, then closes; each takes at most `withinMs` (5 s). A second call does nothing. */
  close(withinMs?: number): Promise<void>;
}

export interface OpenOptions {
  /** postgres://… opens a server, which is owned by one process at a time; `dataDir` and `template` stay unused. */
  readonly url?: string | undefined;
  /** Told once, when another process took the server while the line to it was lost: nothing is written any more. */
  readonly onTaken?: ((error: DatabaseError) => void) | undefined;
  /** The data folder: it is locked, and the embedded database lives in its `db` folder. Without it: in memory. */
  readonly dataDir?: string | undefined;
  /** A dump to start a new embedded database from, which spares it its slow first start; an old one ignores it. */
  readonly template?: Blob | undefined;
  /** Told every statement before it runs. */
  readonly onQuery?: ((statement: string) => void) | undefined;
}
