export type { WorkloadKind } from './attestation.ts';
export type * from './event.ts';
export type * from './fact.ts';
export type * from './ids.ts';
export { NO_TRAITS, type Traits } from './traits.ts';
export type * from './view.ts';
