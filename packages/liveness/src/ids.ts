/** Names that other packages give; the core only compares them. */
export type SessionId = string;
export type TaskId = string;
/** One live agent process that serves a session; never reused. */
export type ExecutionId = string;
/** Number of a prompt cycle: the tick that granted its claim. Never 0, never reused within an epoch. */
export type Generation = number;
/** One reading of the only clock: increases by one for each change that is numbered. */
export type Tick = number;
/** Milliseconds since 1970, fed by the shell; the core has no clock of its own. */
export type Millis = number;
