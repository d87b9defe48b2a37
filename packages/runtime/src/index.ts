export * from './errors.ts';
export * from './types.ts';
export type * from './vigil.ts';
