import { Attestation, type Evidence } from './attestation.ts';
import { accept, release, unmuteServing } from './claims.ts';
import type { Fact } from './fact.ts';
import { attestIdle, balance, complete, free, settleRpc, spoke } from './foreground.ts';
import { beginNamed, groundOf, type Now, reportsLevel } from './ground.ts';
import { reported } from './level-reports.ts';
import {
  current,
  cycleOf,
  type Execution,
  executionWith,
  generationAtWork,
  hasDetached,
  recordWith,
  type SessionRecord,
  type ToolCall,
  withExecution,
} from './record.ts';
import { track } from './registrations.ts';
import { speaks, toolSeen } from './tools.ts';

/** All that one frame means, as one step (S14). A frame of an execution that is not live changes nothing (S45). */
export function receive(record: SessionRecord, frame: { executionId: string; facts: readonly Fact[] }, now: Now) {
  return frame.facts.reduce((known, fact) => {
    const execution = known.executions.get(frame.executionId);
    if (execution === undefined) return known;
    return balance(applyFact(known, execution, { fact, now }));
  }, record);
}

/** Facts about work belong to their execution; facts about the foreground only to the one that serves (S112). */
function applyFact(record: SessionRecord, execution: Execution, given: { fact: Fact; now: Now }): SessionRecord {
  const { fact, now } = given;
  if (fact.kind === 'attested') return attested(record, execution, { attestation: fact.attestation, now });
  if (fact.kind === 'armed') return withExecution(record, arm(execution, fact.mayWake));
  if (fact.kind === 'tool') {
    const serves = execution === current(record);
    return toolSeen(serves && speaks(execution, fact) ? spoke(record, now) : record, execution.id, fact);
  }
  return execution === current(record) ? serve(record, fact, now) : record;
}

const arm = (execution: Execution, mayWake: boolean): Execution =>
  execution.mayWake === mayWake ? execution : executionWith(execution, { mayWake });

type ServingFact = Exclude<Fact, { kind: 'attested' | 'armed' | 'tool' }>;

function serve(record: SessionRecord, fact: ServingFact, now: Now): SessionRecord {
  switch (fact.kind) {
    case 'output':
      return fact.ended === true ? record : spoke(record, now);
    case 'prompt.begun':
      return beginNamed(record, fact.generation);
    case 'prompt.accepted':
      return accept(record, fact.generation);
    case 'prompt.rejected':
      return release(record, fact.generation);
    case 'prompt.completed':
      return complete(record, fact.generation, fact.stopReason ?? null);
    case 'rpc.settled':
      return settleRpc(record, fact.generation, { ...now, stopReason: fact.stopReason });
    case 'foreground':
      return reported(record, fact, now);
    case 'cycle.closed':
      return cycleClosed(record);
    case 'yielded':
      return attestIdle(record, fact.generation);
  }
}

/** Claude's closing usage ends a wake, never a human generation (S59), and only where no level says it better. */
function cycleClosed(record: SessionRecord): SessionRecord {
  const execution = current(record);
  if (execution === undefined || reportsLevel(execution)) return record;
  const heard = unmuteServing(record);
  return cycleOf(heard.foreground)?.origin === 'agent' ? free(heard, null) : heard;
}

/** Typed evidence about work. Anything that `attest` did not make is ignored (S23). */
function attested(
  record: SessionRecord,
  execution: Execution,
  given: { attestation: Attestation; now: Now },
): SessionRecord {
  if (!Attestation.is(given.attestation)) return record;
  const { evidence } = given.attestation;
  const generation = generationAtWork(record);
  const tracked = track(execution, evidence, { at: given.now.at, generation, nextSeq: record.nextSeq });
  const own = owned(tracked, evidence);
  if (own === execution) return record;
  return recordWith(withExecution(record, own), { nextSeq: record.nextSeq + seats(evidence) });
}

const seats = (evidence: Evidence): number => (evidence.what === 'roster' ? evidence.items.length : 1);

/** The call that launched detached work is the background's from then on (S42). */
function owned(execution: Execution, evidence: Evidence): Execution {
  if (!('names' in evidence) || execution.tools.length === 0) return execution;
  const detached = execution.registrations.find(
    (one) => one.detached && evidence.names.some((n) => one.names.includes(n)),
  );
  const isIts = (call: ToolCall) => call.owner === 'foreground' && detached?.names.includes(`tool:${call.id}`) === true;
  if (!execution.tools.some(isIts)) return execution;
  const tools = execution.tools.map(
    (call): ToolCall => (isIts(call) ? { id: call.id, owner: 'background', generation: null } : call),
  );
  return executionWith(execution, { tools });
}

/** What ended in this step, with the foreground free before and after, lets a wake be expected for a while (S12). */
export function settle(before: SessionRecord, after: SessionRecord, now: Now): SessionRecord {
  const execution = current(after);
  const earlier = execution === undefined ? undefined : before.executions.get(execution.id);
  if (execution === undefined || earlier === undefined || earlier.registrations === execution.registrations)
    return after;
  if (!execution.traits.wakes || groundOf(before).kind !== 'free' || groundOf(after).kind !== 'free') return after;
  if (!hasDetached(earlier) || hasDetached(execution) || execution.followUps.size > 0) return after;
  const asked = earlier.registrations.every((one) => !one.detached || one.stopping);
  if (asked) return after;
  return withExecution(after, executionWith(execution, { settleUntil: now.at + after.rules.settleAfterMs }));
}
