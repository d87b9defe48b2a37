export type { ProcessEntry, ReportedProcess } from './follow-ups.ts';
export { wantsStateUpdates } from './opt-in.ts';
export type { StopReason, TurnOutcome } from './outcome.ts';
export { type Admission, type ReporterLog, type ReporterOptions, StateReporter } from './state-reporter.ts';
