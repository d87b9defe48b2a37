export type { Connection } from './connection.ts';
export { type Failure, failureOf } from './failure.ts';
export { VigilProvider, type VigilProviderProps } from './react/provider.tsx';
export { trpc } from './react/trpc.ts';
export { type ActivityReading, useActivity } from './react/use-activity.ts';
export { useConnection } from './react/use-connection.ts';
export { type SessionReading, useSession } from './react/use-session.ts';
export { type TaskReading, useTask } from './react/use-task.ts';
export type * from './types.ts';
