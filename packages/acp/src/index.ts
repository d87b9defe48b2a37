export { readAgents } from './agents-file.ts';
export { AGENT_ERROR_CODES, AgentError, type AgentErrorCode } from './errors.ts';
export { openAgent } from './open-agent.ts';
export { EXECUTION_MARK, processTable, type SeenProcess } from './process/process-table.ts';
export { endLeftover, startTimeOf } from './process/process-tree.ts';
export { type AgentDefinition, type Availability, availabilityOf, builtInAgents, launchOf } from './registry.ts';
export type * from './types.ts';
export { droppedFrames, FRAME_DROPS, type FrameDrop } from './wire/frame-drops.ts';
