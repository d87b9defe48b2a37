import type { Fact } from './fact.ts';
import {
  type Execution,
  generationAtWork,
  type Owner,
  type SessionRecord,
  type ToolCall,
  withExecution,
} from './record.ts';
import { end } from './registrations.ts';

type ToolFact = Extract<Fact, { kind: 'tool' }>;

/** Most open calls whose owner is remembered per execution; the oldest are forgotten first and read as unknown. */
const OPEN_CALLS_LIMIT = 4096;

/** What a tool frame does: records or inherits its owner (S40–S42), and speaks for the foreground only where it owns it. */
export function toolSeen(record: SessionRecord, executionId: string, fact: ToolFact): SessionRecord {
  const execution = record.executions.get(executionId);
  if (execution === undefined) return record;
  const owner = ownerOf(execution, fact);
  const call = owner === undefined ? undefined : { owner, generation: generationAtWork(record) };
  return withExecution(record, closeWork(withCall(execution, fact, call), fact));
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
  const known = execution.tools.get(fact.toolCallId)?.owner;
  if (known !== undefined || !fact.opens) return known;
  return isDetached(execution, fact.toolCallId) ? 'background' : 'foreground';
}

/** The launch was attested before the first frame of its call (S40). */
function isDetached(execution: Execution, toolCallId: string): boolean {
  return execution.registrations.some((one) => one.detached && one.names.includes(`tool:${toolCallId}`));
}

function withCall(execution: Execution, fact: ToolFact, call: ToolCall | undefined): Execution {
  const known = execution.tools.get(fact.toolCallId);
  if (fact.closed ? known === undefined : call === undefined || known?.owner === call.owner) return execution;
  const tools = new Map(execution.tools);
  if (fact.closed) tools.delete(fact.toolCallId);
  else if (call !== undefined) tools.set(fact.toolCallId, call);
  const oldest = tools.size > OPEN_CALLS_LIMIT ? tools.keys().next().value : undefined;
  if (oldest !== undefined) tools.delete(oldest);
  return { ...execution, tools };
}

/** A call that closes ends the work that it blocked on, never work that outlives it (S26, S30, S44). */
function closeWork(execution: Execution, fact: ToolFact): Execution {
  if (!fact.closed) return execution;
  const name = `tool:${fact.toolCallId}`;
  const blocked = execution.registrations.find((one) => !one.detached && one.names.includes(name));
  return blocked === undefined ? execution : end(execution, blocked.names);
}
