import { type CreateTRPCReact, createTRPCReact } from '@trpc/react-query';
import type { AppRouter } from '@vigil/api';

/** Typed hooks for every procedure: `trpc.task.create.useMutation()`. Needs a `VigilProvider` above. */
export const trpc: CreateTRPCReact<AppRouter, unknown> = createTRPCReact<AppRouter>();
