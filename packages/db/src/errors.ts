/** Codes of what can go wrong with the database; docs/errors.md explains each. */
export const DATABASE_ERROR_CODES = [
  /** Another process uses the data folder. */
  'data_folder_locked',
  /** The data folder cannot be made, read or written. */
  'data_folder_unusable',
  /** Another server uses the database, or took it while the line to it was lost. */
  'database_in_use',
  /** There is no room on the disk of the database. */
  'disk_full',
  /** No connection could be made, or it broke. */
  'database_unreachable',
  /** `close` was called. */
  'database_closed',
  /** The schema could not be brought up to date. */
  'migration_failed',
  /** A row refers to one that does not exist. */
  'unknown_reference',
  /** A row of that id or key exists. */
  'already_exists',
  /** A row would break an invariant of the schema. */
  'invariant_broken',
  /** The statement failed for any other reason. */
  'query_failed',
] as const;

export type DatabaseErrorCode = (typeof DATABASE_ERROR_CODES)[number];

/** A failure of the database. The message says what was expected, what came and what to do. */
export class DatabaseError extends Error {
  readonly code: DatabaseErrorCode;

  constructor(code: DatabaseErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = 'DatabaseError';
    this.code = code;
  }
}
