import type { Fact } from './fact.ts';
import type { Generation } from './ids.ts';
import {
  type Execution,
  executionWith,
  generationAtWork,
  type Owner,
  type SessionRecord,
  type ToolCall,
  withExecution,
} from './record.ts';
import { end } from './registrations.ts';

type ToolFact = Extract<Fact, { kind: 'tool' }>;

/** Most open calls whose owner is remembered per execution; the oldest are forgotten first and read as unknown. */
const OPEN_CALLS_LIMIT = 1024;

/** What a tool frame does: records or inherits its owner (S40–S42), and speaks for the foreground only where it owns it. */
export function toolSeen(record: SessionRecord, executionId: string, fact: ToolFact): SessionRecord {
  const execution = record.executions.get(executionId);
  if (execution === undefined) return record;
  return withExecution(
    record,
    fact.closed ? close(execution, fact.toolCallId) : keep(execution, fact, generationAtWork(record)),
  );
}

/** True when the frame is known foreground output (S4). */
export function speaks(execution: Execution, fact: ToolFact): boolean {
  if (ownerOf(execution, fact) !== 'foreground') return false;
  return fact.opens || (fact.closed && fact.content === true);
}

/** Positive evidence may reclassify; a missing parent is never evidence; without a first frame the owner is unknown. */
function ownerOf(execution: Execution, fact: ToolFact): Owner | undefined {
  if (fact.child) return 'child';
  if (fact.background === true) return 'background';
  const known = callOf(execution, fact.toolCallId)?.owner;
  if (known !== undefined || !fact.opens) return known;
  return isDetached(execution, fact.toolCallId) ? 'background' : 'foreground';
}

/** The launch was attested before the first frame of its call (S40). */
function isDetached(execution: Execution, toolCallId: string): boolean {
  const name = `tool:${toolCallId}`;
  return execution.registrations.some((one) => one.detached && one.names.includes(name));
}

const callOf = ({ tools }: Execution, toolCallId: string): ToolCall | undefined =>
  tools.find(({ id }) => id === toolCallId);

function keep(execution: Execution, fact: ToolFact, generation: Generation | null): Execution {
  const { tools } = execution;
  const owner = ownerOf(execution, fact);
  const known = callOf(execution, fact.toolCallId);
  if (owner === undefined || owner === known?.owner) return execution;
  const call: ToolCall = { id: fact.toolCallId, owner, generation };
  if (known !== undefined) return executionWith(execution, { tools: tools.map((one) => (one === known ? call : one)) });
  const room = tools.length < OPEN_CALLS_LIMIT ? tools : tools.slice(1);
  return executionWith(execution, { tools: [...room, call] });
}

/** A call that closes ends the work that it blocked on, never work that outlives it (S26, S30, S44). */
function close(execution: Execution, toolCallId: string): Execution {
  const known = callOf(execution, toolCallId);
  const closed =
    known === undefined
      ? execution
      : executionWith(execution, { tools: execution.tools.filter((one) => one !== known) });
  if (execution.registrations.length === 0) return closed;
  const name = `tool:${toolCallId}`;
  const blocked = execution.registrations.find((one) => !one.detached && one.names.includes(name));
  return blocked === undefined ? closed : end(closed, blocked.names);
}
