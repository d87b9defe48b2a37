import { destination, type Logger, pino, stdTimeFunctions } from 'pino';
import type { Config } from './config.ts';

export type { Logger };

/** Values under these names never reach a log. */
const REDACTED = ['authorization', 'cookie', 'token', 'password', 'secret', 'apiKey', 'databaseUrl', 'env'];

const STDERR = 2;

/** Writes JSON lines to stderr, or readable ones when that is a terminal. Standard output stays for what was asked for. */
export async function createLogger(config: Pick<Config, 'logLevel'>): Promise<Logger> {
  const options = {
    level: config.logLevel,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    redact: { paths: REDACTED.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
  };
  if (!process.stderr.isTTY) return pino(options, destination({ dest: STDERR, sync: true }));
  const { default: pretty } = await import('pino-pretty');
  return pino(
    options,
    pretty({ destination: STDERR, sync: true, translateTime: 'HH:MM:ss.l', ignore: 'pid,hostname' }),
  );
}
