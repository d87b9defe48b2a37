import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { createVigilClient, type VigilClient } from '../client.ts';
import type { VigilClientOptions } from '../options.ts';
import { trpc } from './trpc.ts';
import { Watches, WatchesContext } from './watches.ts';

export interface VigilProviderProps extends VigilClientOptions {
  /** A client to use instead of one made from the other options; read once. */
  readonly client?: VigilClient | undefined;
  /** Read once. */
  readonly queryClient?: QueryClient | undefined;
  readonly children: ReactNode;
}

/** Gives the hooks below it one client, one query cache and one set of streams. */
export function VigilProvider({ client, queryClient, children, ...options }: VigilProviderProps): ReactNode {
  const [held] = useState(() => {
    const vigil = client ?? createVigilClient(options);
    return { vigil, queries: queryClient ?? new QueryClient(), watches: new Watches(vigil) };
  });
  return (
    <trpc.Provider client={held.vigil.api} queryClient={held.queries}>
      <QueryClientProvider client={held.queries}>
        <WatchesContext value={held.watches}>{children}</WatchesContext>
      </QueryClientProvider>
    </trpc.Provider>
  );
}
