import { Attestation, type Evidence } from './attestation.ts';
import { giveBack, isClaimed, release } from './claim.ts';
import type { Fact } from './fact.ts';
import {
  attestIdle,
  balance,
  begin,
  beginAgentCycle,
  complete,
  free,
  groundOf,
  levelIdled,
  levelRan,
  type Now,
  settleRpc,
  spoke,
  withGround,
} from './foreground.ts';
import type { Generation } from './ids.ts';
import { current, cycleOf, type Execution, hasDetached, type SessionRecord, withExecution } from './record.ts';
import { track } from './registrations.ts';
import { speaks, toolSeen } from './tools.ts';

type ForegroundFact = Extract<Fact, { kind: 'foreground' }>;

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
    const seen = toolSeen(record, execution, fact);
    return execution === current(record) && speaks(execution, fact) ? spoke(seen, now) : seen;
  }
  return execution === current(record) ? serve(record, fact, now) : record;
}

const arm = (execution: Execution, mayWake: boolean): Execution =>
  execution.mayWake === mayWake ? execution : { ...execution, mayWake };

type ServingFact = Exclude<Fact, { kind: 'attested' | 'armed' | 'tool' }>;

function serve(record: SessionRecord, fact: ServingFact, now: Now): SessionRecord {
  switch (fact.kind) {
    case 'output':
      return fact.ended === true ? record : spoke(record, now);
    case 'prompt.begun':
      return promptBegun(record, fact.generation);
    case 'prompt.accepted':
      return accept(record, fact.generation);
    case 'prompt.rejected':
      return release(record, fact.generation);
    case 'prompt.completed':
      return complete(record, fact.generation, fact.stopReason ?? null);
    case 'rpc.settled':
      return isClaimed(record, fact.generation)
        ? giveBack(record, fact.stopReason)
        : settleRpc(record, fact.generation, { ...now, stopReason: fact.stopReason });
    case 'foreground':
      return reported(record, fact, now);
    case 'cycle.closed':
      return cycleClosed(record);
    case 'yielded':
      return attestIdle(record, fact.generation);
  }
}

function promptBegun(record: SessionRecord, generation: Generation): SessionRecord {
  const { foreground } = record;
  const named = foreground.kind === 'claimed' && foreground.claim.generation === generation;
  return named ? begin(record, foreground.claim) : record;
}

/** One-shot; releases the in-flight mark by claim, even if the cycle has moved on (S55). */
function accept(record: SessionRecord, generation: Generation): SessionRecord {
  const accepted = record.inFlight === generation ? { ...record, inFlight: null } : record;
  const acknowledged = current(accepted)?.traits.begins === 'acknowledged';
  return acknowledged ? promptBegun(accepted, generation) : accepted;
}

/** Claude's closing usage ends a wake, never a human generation (S59), and only where no level says it better. */
function cycleClosed(record: SessionRecord): SessionRecord {
  const cycle = cycleOf(record.foreground);
  return cycle?.origin === 'agent' && current(record)?.traits.levels === 0 ? free(record, null) : record;
}

function reported(record: SessionRecord, fact: ForegroundFact, now: Now): SessionRecord {
  const execution = current(record);
  if (execution === undefined) return record;
  const before = execution.levels[fact.level];
  const heard =
    before === fact.state
      ? record
      : withExecution(record, { ...execution, levels: { ...execution.levels, [fact.level]: fact.state } });
  if (fact.state !== 'idle') return ran(heard, fact, now);
  return endsSomething(record, fact, before)
    ? levelIdled(heard, fact.level, { ...now, stopReason: fact.stopReason ?? null })
    : heard;
}

/** An idle that follows idle is a list update; the first report states the present (S121); a run ends only itself. */
function endsSomething(record: SessionRecord, fact: ForegroundFact, before: string | null): boolean {
  if (before === 'idle' || (before === null && fact.stopReason === undefined)) return false;
  const run = current(record)?.run ?? null;
  const own = cycleOf(record.foreground)?.run ?? null;
  return (fact.runId ?? run) === run && (own === null || own === run);
}

/** `running` names a run, or continues the one that is known (S121). */
function ran(record: SessionRecord, fact: ForegroundFact, now: Now): SessionRecord {
  const execution = current(record);
  if (fact.runId === undefined || execution === undefined) return levelRan(record, fact.level, now);
  if (fact.runId === execution.run) return record;
  return takeRun(withExecution(record, { ...execution, run: fact.runId }), { ...fact, runId: fact.runId }, now);
}

/** A new run is that of the cycle that has none yet, else the agent's own, which takes over; an open RPC stays (S78, S121). */
function takeRun(record: SessionRecord, fact: ForegroundFact & { runId: string }, now: Now): SessionRecord {
  const bound = fact.agentInitiated === true ? record : beginDispatched(record);
  const ground = groundOf(bound);
  if (ground.kind === 'free') return beginAgentCycle(bound, now, fact.runId);
  const { cycle } = ground;
  if (cycle.run !== null && cycle.rpc !== 'open') return takeRun(free(bound, null), fact, now);
  const binds = cycle.run === null && fact.agentInitiated !== true;
  return withGround(bound, { kind: 'held', cycle: { ...cycle, ...(binds && { run: fact.runId }), idleAttested: false } });
}

/** The first run after a dispatch that has none yet is the claimed prompt's (S121). */
function beginDispatched(record: SessionRecord): SessionRecord {
  const { foreground } = record;
  const waits = foreground.kind === 'claimed' && foreground.claim.dispatched && foreground.under.kind === 'free';
  return waits ? begin(record, foreground.claim) : record;
}

/** Typed evidence about work. Anything that `attest` did not make is ignored (S23). */
function attested(
  record: SessionRecord,
  execution: Execution,
  given: { attestation: Attestation; now: Now },
): SessionRecord {
  if (!Attestation.is(given.attestation)) return record;
  const { evidence } = given.attestation;
  const { foreground } = record;
  const claimed = foreground.kind === 'claimed' ? foreground.claim.generation : null;
  const generation = cycleOf(foreground)?.generation ?? claimed;
  const tracked = track(execution, evidence, { at: given.now.at, generation, nextSeq: record.nextSeq });
  const own = owned(tracked, evidence);
  if (own === execution) return record;
  return { ...withExecution(record, own), nextSeq: record.nextSeq + seats(evidence) };
}

const seats = (evidence: Evidence): number => (evidence.what === 'roster' ? evidence.items.length : 1);

/** The call that launched detached work is the background's from then on (S42). */
function owned(execution: Execution, evidence: Evidence): Execution {
  if (!('names' in evidence) || execution.tools.size === 0) return execution;
  const detached = execution.registrations.find((one) => one.detached && evidence.names.some((n) => one.names.includes(n)));
  const calls = (detached?.names ?? [])
    .filter((name) => name.startsWith('tool:'))
    .map((name) => name.slice('tool:'.length))
    .filter((id) => execution.tools.get(id) === 'foreground');
  if (calls.length === 0) return execution;
  const tools = new Map(execution.tools);
  for (const id of calls) tools.set(id, 'background');
  return { ...execution, tools };
}

/** What ended in this step, with the foreground free before and after, lets a wake be expected for a while (S12). */
export function settle(before: SessionRecord, after: SessionRecord, now: Now): SessionRecord {
  const execution = current(after);
  const earlier = execution === undefined ? undefined : before.executions.get(execution.id);
  if (execution === undefined || earlier === undefined || earlier.registrations === execution.registrations) return after;
  if (!execution.traits.wakes || groundOf(before).kind !== 'free' || groundOf(after).kind !== 'free') return after;
  if (!hasDetached(earlier) || hasDetached(execution) || execution.followUps.size > 0) return after;
  const asked = earlier.registrations.every((one) => !one.detached || one.stopping);
  if (asked) return after;
  return withExecution(after, { ...execution, settleUntil: now.at + after.rules.settleAfterMs });
}
