import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type postgres from 'postgres';
import { DatabaseError } from './errors.ts';
import { asDatabaseError } from './failure.ts';
import { within } from './within.ts';

/** Any pair of numbers that nobody else uses. Advisory locks are of one database, not of the whole server. */
const LOCK = { space: 0x56_49_47_49, number: 1 } as const;
/** A server that was just killed may be a moment behind in Postgres' eyes. */
const FIRST_TAKE_WITHIN_MS = 1_500;
const RELEASE_WITHIN_S = 0.3;
const AGAIN_AFTER_MS = 250;
const ANSWER_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 5_000;
/** Postgres cuts longer names, in bytes. */
const NAME_LIMIT = 63;

export interface ServerLockOptions {
  /** A connection of its own, under this application name, that calls back when its line is gone. */
  readonly connect: (name: string, onGone: () => void) => postgres.Sql;
  /** Called once, when another server took the database while the line to it was lost. */
  readonly onTaken: (error: DatabaseError) => void;
}

interface Owner {
  readonly backend: number;
  readonly name: string;
  readonly address: string | null;
  readonly since: string | null;
}

/**
 * Ownership of a Postgres database by one server: an advisory lock of one session, which Postgres releases with that
 * session's line. It is taken again after the line was lost; when another server took it meanwhile, it stays theirs.
 */
export class ServerLock {
  readonly #options: ServerLockOptions;
  /** Tells servers apart, also two of one process. */
  readonly #name = applicationName();
  #line: postgres.Sql | null = null;
  #taking: Promise<void> | null = null;
  #taken: DatabaseError | null = null;
  #released = false;
  #timer: NodeJS.Timeout | null = null;

  private constructor(options: ServerLockOptions) {
    this.#options = options;
  }

  /** Rejects with `database_in_use`, naming the owner, or with `database_unreachable`. */
  static async take(options: ServerLockOptions): Promise<ServerLock> {
    const lock = new ServerLock(options);
    for (const until = performance.now() + FIRST_TAKE_WITHIN_MS; ; ) {
      const owner = await lock.#try();
      if (owner === null) return lock;
      if (performance.now() > until) throw inUse(owner);
      // A server that is ending lets go in a moment, and Postgres tells nobody when it does.
      await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
    }
  }

  /** Resolves while the lock is held; otherwise tries once to take it. Rejects when that fails, or it is another's. */
  async held(): Promise<void> {
    if (this.#taken !== null) throw this.#taken;
    if (this.#line !== null || this.#released) return;
    this.#taking ??= this.#retake().finally(() => {
      this.#taking = null;
    });
    await this.#taking;
  }

  async release(): Promise<void> {
    this.#released = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const line = this.#line;
    this.#line = null;
    await line?.end({ timeout: RELEASE_WITHIN_S });
  }

  async #retake(): Promise<void> {
    const owner = await this.#try();
    if (owner === null || this.#taken !== null) return;
    this.#taken = takenMeanwhile(owner);
    this.#options.onTaken(this.#taken);
    throw this.#taken;
  }

  /** The owner when it is another. */
  async #try(): Promise<Owner | null> {
    let isGone = false;
    const line: postgres.Sql = this.#options.connect(this.#name, () => {
      isGone = true;
      this.#gone(line);
    });
    try {
      const owner = await within(this.#askFor(line), ANSWER_WITHIN_MS);
      // The driver would go on with another line, which has no lock.
      if (isGone) throw new DatabaseError('database_unreachable', 'The line to the database broke while it was taken.');
      if (owner === null && !this.#released) {
        this.#line = line;
        this.#lookLater();
        return null;
      }
      void line.end({ timeout: 1 });
      return owner;
    } catch (error) {
      void line.end({ timeout: 0 });
      throw asDatabaseError(error);
    }
  }

  async #askFor(line: postgres.Sql): Promise<Owner | null> {
    for (;;) {
      const [row] = await line`select pg_try_advisory_lock(${LOCK.space}::int, ${LOCK.number}::int) as held`;
      if (row?.held === true) return null;
      const owner = await ownerOf(line);
      if (owner !== null && owner.name !== this.#name) return owner;
      // Our own earlier line, of which Postgres does not know yet that it is dead; or an owner that just went.
      if (owner !== null) await line`select pg_terminate_backend(${owner.backend}::int)`;
      // Whoever asks has a deadline; the backend ends in its own time.
      await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS / 10));
    }
  }

  #gone(line: postgres.Sql): void {
    if (this.#line !== line) return;
    this.#line = null;
    void line.end({ timeout: 0 });
    this.#later(0, () => this.held());
  }

  /** A line may die without a word: it is asked from time to time. */
  #lookLater(): void {
    this.#later(LOOK_EVERY_MS, async () => {
      const line = this.#line;
      if (line === null) return;
      try {
        await within(line`select 1`, ANSWER_WITHIN_MS);
        this.#lookLater();
      } catch {
        this.#gone(line);
      }
    });
  }

  #later(ms: number, what: () => Promise<void>): void {
    if (this.#released || this.#taken !== null) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      what().catch(() => this.#later(AGAIN_AFTER_MS, () => this.held()));
    }, ms);
    this.#timer.unref();
  }
}

async function ownerOf(line: postgres.Sql): Promise<Owner | null> {
  const [row] = await line`
    select activity.pid as backend, activity.application_name as name, host(activity.client_addr) as address,
      to_char(activity.backend_start at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as since
    from pg_locks lock join pg_stat_activity activity on activity.pid = lock.pid
    where lock.locktype = 'advisory' and lock.granted and lock.objsubid = 2
      and lock.classid::bigint = ${LOCK.space}::bigint and lock.objid::bigint = ${LOCK.number}::bigint
      and lock.database = (select oid from pg_database where datname = current_database())`;
  if (row === undefined) return null;
  return { backend: row.backend, name: row.name, address: row.address, since: row.since };
}

/** Words of an owner: `vigil <host> <pid> <life>` is what its session is called. */
function inWords({ name, address, since }: Owner): string {
  const [, host, pid] = /^vigil (\S+) (\d+) /.exec(name) ?? [];
  const who = pid === undefined ? `a session called "${name}"` : `process ${pid} on host ${host}`;
  return `${who}${address === null ? '' : ` (from ${address})`} uses it${since === null ? '' : ` since ${since}`}`;
}

function inUse(owner: Owner): DatabaseError {
  return new DatabaseError(
    'database_in_use',
    `Expected the database to be free; ${inWords(owner)}. Stop that server, or give this one another database with DATABASE_URL.`,
  );
}

function takenMeanwhile(owner: Owner): DatabaseError {
  return new DatabaseError(
    'database_in_use',
    `Expected to own the database still after its line was lost; ${inWords(owner)}. Nothing more is written here: stop one of the two servers.`,
  );
}

function applicationName(): string {
  const tail = ` ${process.pid} ${randomUUID().slice(0, 8)}`;
  const host = hostname().replace(/[^\w.-]/g, '?') || 'unknown';
  return `vigil ${host.slice(0, NAME_LIMIT - 'vigil '.length - tail.length)}${tail}`;
}
