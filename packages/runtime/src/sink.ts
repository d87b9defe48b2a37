import type { AgentExit, AgentSink, Reading, TranscriptEvent } from '@vigil/acp';
import type { Fact, Traits } from '@vigil/liveness';
import type { SessionEntry } from './entries.ts';
import type { Execution } from './execution.ts';
import { readFrame } from './notices.ts';
import { takeRequests } from './requests.ts';
import type { Runtime } from './runtime.ts';
import { transcribe } from './transcribe.ts';

/** Takes what an agent says: its facts first, in the step of the frame, then what is shown of it. */
export function sinkOf(runtime: Runtime, execution: Execution, gone: (exit: AgentExit) => void): AgentSink {
  return {
    frame: (reading) => readFrame(execution.entry, () => take(runtime, execution, reading)),
    traits: (traits) => applyTraits(runtime, execution, traits),
    gone,
    log: ({ level, message, data }) => runtime.deps.log[level]({ executionId: execution.id, data }, message),
  };
}

/** What was agreed at the opening, or seen since. */
export function applyTraits(runtime: Runtime, execution: Execution, traits: Traits): void {
  const { entry, id: executionId } = execution;
  runtime.board.tracker.apply({
    type: 'execution.opened',
    sessionId: entry.id,
    at: runtime.deps.now(),
    executionId,
    traits,
  });
}

function take(runtime: Runtime, execution: Execution, reading: Reading): void {
  const { deps, board } = runtime;
  const { entry } = execution;
  const now = deps.now();
  execution.lastFrameAt = now;
  for (const fact of reading.facts) {
    if (fact.kind === 'prompt.accepted') execution.accepted = fact.generation;
    if (fact.kind === 'prompt.rejected')
      execution.rejected = { generation: fact.generation, idleTold: entry.queue.idleTold };
  }
  if (reading.facts.length > 0) hear(runtime, execution, { facts: reading.facts, at: now });
  if (!board.sessions.has(entry.id)) return;
  // What comes before the agent is opened is its history, which the transcript has (S46).
  if (execution.connection !== null) for (const event of reading.transcript) transcribe(execution, event, now);
  takeRequests(runtime, execution, reading.requests);
  takeTitle(runtime, execution, reading.title);
  takeSaid(runtime, execution, reading.transcript);
  if (reading.facts.some(tellsIdle)) heardIdle(runtime, entry);
}

function hear({ board }: Runtime, { entry, id: executionId }: Execution, said: { facts: readonly Fact[]; at: number }) {
  board.tracker.apply({ type: 'frame.received', sessionId: entry.id, executionId, ...said });
}

function heardIdle(runtime: Runtime, entry: SessionEntry): void {
  entry.queue.idleTold += 1;
  if (!entry.queue.heldBack) return;
  entry.queue.heldBack = false;
  runtime.drainSoon(entry);
}

/** Evidence that a busy provider is idle again (S83). */
function tellsIdle(fact: Fact): boolean {
  if (fact.kind === 'foreground') return fact.state === 'idle';
  return (
    fact.kind === 'rpc.settled' ||
    fact.kind === 'yielded' ||
    fact.kind === 'cycle.closed' ||
    fact.kind === 'prompt.completed'
  );
}

/** Mode, model and usage: what the agent last said of each is shown with the session. */
function takeSaid(runtime: Runtime, { entry }: Execution, events: readonly TranscriptEvent[]): void {
  const before = entry.said;
  for (const event of events) {
    if (event.type === 'setting' && before[event.name] !== event.value)
      entry.said = { ...entry.said, [event.name]: event.value };
    if (event.type !== 'usage') continue;
    const { used, size } = event;
    const next = { used, size, cost: event.cost ?? entry.said.usage?.cost ?? null };
    if (JSON.stringify(next) !== JSON.stringify(entry.said.usage)) entry.said = { ...entry.said, usage: next };
  }
  if (entry.said !== before) runtime.board.touchSession(entry);
}

function takeTitle(runtime: Runtime, execution: Execution, title: string | undefined): void {
  const { entry } = execution;
  if (title === undefined || title === '' || title === entry.title) return;
  entry.title = title;
  runtime.records.sessionChanged(entry);
  runtime.board.touchSession(entry);
}
