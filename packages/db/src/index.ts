export type { Database, OpenOptions } from './database.ts';
export { DATABASE_ERROR_CODES, DatabaseError, type DatabaseErrorCode } from './errors.ts';
export { openDatabase } from './open-database.ts';
export type * from './repositories.ts';
export * from './rows.ts';
