export { createVigil, type RunningVigil } from './create-vigil.ts';
export type { AgentRegistry, LaunchAnswer, Log, RuntimeConfig, VigilDeps } from './deps.ts';
export * from './errors.ts';
export * from './types.ts';
export type * from './vigil.ts';
