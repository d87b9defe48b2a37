import { createTRPCClient, type TRPCClient } from '@trpc/client';
import type { AppRouter } from '@vigil/api';
import { vigilLinks } from './links.ts';
import type { VigilClientOptions } from './options.ts';

/** A connection to one Vigil. */
export interface VigilClient {
  /** Every procedure, typed: `api.task.list.query()`, `api.session.submit.mutate(…)`. */
  readonly api: TRPCClient<AppRouter>;
  /** Ends every stream and the socket. */
  close(): Promise<void>;
}

/** Opens nothing by itself: the socket opens with the first stream and comes back by itself when lost. */
export function createVigilClient(options: VigilClientOptions = {}): VigilClient {
  const { links, close } = vigilLinks(options);
  return { api: createTRPCClient<AppRouter>({ links }), close };
}
