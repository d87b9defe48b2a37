import { DatabaseError, type DatabaseErrorCode } from './errors.ts';

const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
]);

/** SQLSTATE classes: connection, authorisation, no such database, no resources, shut down. */
const UNREACHABLE = /^(?:08...|28...|3D000|53...|57P0.)$/;

const DISK_FULL = '53100';

const BY_STATE: Readonly<Record<string, DatabaseErrorCode>> = {
  '23503': 'unknown_reference',
  '23505': 'already_exists',
  '23502': 'invariant_broken',
  '23514': 'invariant_broken',
};

const EXPECTED: Readonly<Record<DatabaseErrorCode, string>> = {
  data_folder_locked: 'The data folder is in use',
  data_folder_unusable: 'The data folder cannot be used',
  database_in_use: 'Another server uses the database',
  disk_full: 'Expected space on the disk of the database; free some, and it goes on by itself',
  database_unreachable: 'Expected an answer from the database; check that it runs and that DATABASE_URL is right',
  database_closed: 'The database is closed',
  migration_failed: 'The schema could not be brought up to date',
  unknown_reference: 'Expected every row that is referred to to exist; it was deleted, or is not written yet',
  already_exists: 'Expected a new id or key; use another one, or update the row that has it',
  invariant_broken: 'Expected a row that keeps the invariants of the schema; the caller is at fault',
  query_failed: 'Expected the statement to succeed',
};

/** Makes a `DatabaseError` of anything thrown, with the driver's own error as its cause. */
export function asDatabaseError(thrown: unknown): DatabaseError {
  if (thrown instanceof DatabaseError) return thrown;
  const source = driverError(thrown);
  const code = codeOf(source);
  return new DatabaseError(code, `${EXPECTED[code]}. Got: ${messageOf(source)}`, source);
}

/** Drizzle's wrapper names the parameters, which hold what people typed: it goes into no message and no cause. */
function driverError(thrown: unknown): unknown {
  let source = thrown;
  while (source instanceof Error && source.cause !== undefined && source.message.startsWith('Failed query:'))
    source = source.cause;
  return source;
}

function codeOf(source: unknown): DatabaseErrorCode {
  const state = source instanceof Error && 'code' in source ? String(source.code) : '';
  if (state === DISK_FULL) return 'disk_full';
  if (NETWORK.has(state) || UNREACHABLE.test(state)) return 'database_unreachable';
  return BY_STATE[state] ?? 'query_failed';
}

function messageOf(source: unknown): string {
  if (!(source instanceof Error)) return String(source);
  // A refused connection to a name with two addresses is an AggregateError without a message.
  if (source.message !== '') return source.message;
  return 'code' in source ? String(source.code) : source.name;
}
