import type { Vigil } from '@vigil/runtime';
import type { Compose, Composition } from './compose.ts';
import type { Config } from './config.ts';
import { seedDemo } from './demo.ts';
import { Http } from './http.ts';
import { listen } from './listen.ts';
import type { Logger } from './logger.ts';
import { type ShutdownParts, shutDown } from './shutdown.ts';
import type { MountWeb, Web, WebOptions } from './web.ts';

export interface ServerOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly compose: Compose;
  /** Null for a server without the web app. */
  readonly mountWeb: MountWeb | null;
  /** Told when it cannot go on, and has to be stopped. */
  readonly onLost: (cause: Error) => void;
}

export interface RunningServer {
  /** Origin that it answers at, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Ends it in order and within `STOP_WITHIN_MS`; false when not everything was done by then. Idempotent. */
  stop(): Promise<boolean>;
}

/** Takes the port, then opens the database and recovers, then serves. A failure gives back all that it took. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { config, log } = options;
  const http = new Http({ host: config.host, mode: config.mode, log });
  const address = await listen(http.server, config);
  let composition: Composition | null = null;
  let web: Web | null = null;
  const parts = (): ShutdownParts => ({ http, composition, web, log });
  try {
    composition = await options.compose(config, log, options.onLost);
    web = await mount(options.mountWeb, { ...address, server: http.server, mode: config.mode });
    http.serve(composition.vigil, web);
    if (config.demo) seedInBackground(composition.vigil, log);
  } catch (cause) {
    await shutDown(parts());
    throw cause;
  }
  let stopped: Promise<boolean> | null = null;
  return {
    url: address.url,
    stop() {
      stopped ??= shutDown(parts());
      return stopped;
    },
  };
}

async function mount(mountWeb: MountWeb | null, options: WebOptions): Promise<Web | null> {
  return mountWeb === null ? null : mountWeb(options);
}

/** The board shows the demo's tasks as they come; being ready does not wait for their agents. */
function seedInBackground(vigil: Vigil, log: Logger): void {
  seedDemo(vigil, log).catch((cause: unknown) => log.warn({ err: cause }, 'the demo could not be added'));
}
