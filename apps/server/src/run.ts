import { AgentError } from '@vigil/acp';
import { DatabaseError } from '@vigil/db';
import { VigilError } from '@vigil/runtime';
import type { Compose } from './compose.ts';
import { type Config, ConfigError, HELP, parseConfig } from './config.ts';
import { StartError } from './errors.ts';
import { createLogger, type Logger } from './logger.ts';
import { type RunningServer, startServer } from './server.ts';
import { STOP_WITHIN_MS } from './shutdown.ts';
import type { MountWeb } from './web.ts';

/** A stop that takes longer than its deadline is cut short, in ms. */
const CUT_AFTER_MS = STOP_WITHIN_MS + 500;

/** Failures of the packages below, with messages for people: a data folder in use, an agents file that does not fit. */
const EXPECTED = [DatabaseError, AgentError, VigilError] as const;

export interface RunOptions {
  readonly compose: Compose;
  readonly mountWeb: MountWeb | null;
}

/** Runs one server as this process: reads its settings, starts it, ends it on the first signal, at once on the second. */
export async function run(options: RunOptions): Promise<void> {
  const config = readConfig();
  if (config === 'help') {
    process.stdout.write(HELP);
    return;
  }
  const log = await createLogger(config);
  let lost: (cause: Error) => void = () => {};
  const starting = startServer({ config, log, ...options, onLost: (cause) => lost(cause) });
  const end = endOnSignals(starting, log);
  lost = (cause) => {
    process.stderr.write(`Vigil stops: ${cause.message}\n`);
    end('the database is lost', 1);
  };
  try {
    const { url } = await starting;
    const took = Math.round(performance.now());
    process.stdout.write(`Vigil is ready at ${url} (${took} ms)\n`);
    log.info({ url, took, database: config.databaseUrl === null ? 'embedded' : 'postgres' }, 'ready');
  } catch (cause) {
    fail(cause, log);
  }
}

function readConfig(): Config | 'help' {
  try {
    return parseConfig({ env: process.env, args: process.argv.slice(2), cwd: process.cwd() });
  } catch (cause) {
    if (!(cause instanceof ConfigError)) throw cause;
    process.stderr.write(`${cause.message}\n`);
    return process.exit(1);
  }
}

/** Says what is wrong in words where we know it; anything else with its stack. */
function fail(cause: unknown, log: Logger): never {
  if (cause instanceof StartError) process.stderr.write(`${cause.message}\n`);
  else if (EXPECTED.some((kind) => cause instanceof kind)) {
    process.stderr.write(`Vigil does not start: ${(cause as Error).message}\n`);
  } else log.fatal({ err: cause }, 'Vigil does not start');
  return process.exit(1);
}

/** Answers how to end it for another reason. */
function endOnSignals(starting: Promise<RunningServer>, log: Logger): (why: string, exitCode: number) => void {
  let stopping = false;
  const end = (why: string, exitCode: number) => {
    if (stopping) {
      log.warn({ why }, 'stopping at once');
      process.exit(exitCode === 0 ? 1 : exitCode);
    }
    stopping = true;
    log.info({ why }, 'stopping');
    setTimeout(() => {
      log.error(`stopping took longer than ${CUT_AFTER_MS} ms; the rest is cut`);
      process.exit(1);
    }, CUT_AFTER_MS).unref();
    starting
      .then((server) => server.stop())
      .then(
        (isDone) => process.exit(isDone ? exitCode : 1),
        () => process.exit(1),
      );
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end(signal, 0));
  process.on('uncaughtException', (cause) => {
    log.fatal({ err: cause }, 'an error that nobody expected');
    end('uncaughtException', 1);
  });
  return end;
}
