export { readMockStates, releaseGate } from './control-client.ts';
export { DIALECTS, type Dialect, isDialect } from './dialect.ts';
export { type Directive, type Lifetime, parseDirective, parseScript, type Script } from './directive.ts';
export { mockAgentPath } from './mock-agent-path.ts';
