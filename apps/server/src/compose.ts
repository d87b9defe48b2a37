import type { Vigil } from '@vigil/runtime';
import type { Config } from './config.ts';
import type { Logger } from './logger.ts';

/** What a server serves, and how it ends. */
export interface Composition {
  readonly vigil: Vigil;
  /** Ends every agent within a deadline, writes what is left to write, closes the database. Idempotent. */
  close(): Promise<void>;
}

export type Compose = (config: Config, log: Logger) => Promise<Composition>;

/** The composition root: the one place that knows every package. */
export const compose: Compose = () =>
  Promise.reject(new Error('expected @vigil/runtime to export createVigil, it does not yet'));
