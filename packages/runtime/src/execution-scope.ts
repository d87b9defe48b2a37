import { type AgentConnection, type AgentExit, EXECUTION_MARK } from '@vigil/acp';
import type { EndCause } from '@vigil/liveness';
import { NOTHING_SAID, type SessionEntry } from './entries.ts';
import { type EndFacts, Execution } from './execution.ts';
import { agentDied } from './notices.ts';
import { closeRequests } from './requests.ts';
import { rest } from './rest.ts';
import type { Runtime } from './runtime.ts';
import { applyTraits, sinkOf } from './sink.ts';
import { closeOpenTools } from './transcribe.ts';

/** Starts an execution for a claim that was just granted; in the same step, so that a teardown finds it. */
export function beginExecution(runtime: Runtime, entry: SessionEntry, executionId: string): Execution {
  const execution = new Execution(executionId, entry, runtime.deps.now());
  entry.said = NOTHING_SAID;
  runtime.serving.set(entry.id, execution);
  runtime.executions.set(executionId, execution);
  runtime.records.executionStarted(execution, runtime.deps.now());
  execution.opened = open(runtime, execution);
  execution.opened.catch((error: unknown) => {
    endExecution(runtime, execution, { cause: 'failed', error: messageOf(error) });
  });
  return execution;
}

async function open(runtime: Runtime, execution: Execution): Promise<AgentConnection> {
  const { deps } = runtime;
  const { entry } = execution;
  // Two processes never hold one conversation: also one before the last may still have to be ended.
  for (const other of [...runtime.executions.values()]) {
    if (other.entry === entry && other !== execution) await closeExecution(runtime, other);
  }
  const answer = deps.agents.launch(entry.agentId);
  if (answer.launch === null) throw new Error(answer.reason);
  const { config } = deps;
  const connection = await deps.openAgent({
    launch: {
      ...answer.launch,
      provider: entry.provider,
      env: { ...answer.launch.env, [EXECUTION_MARK]: execution.id },
    },
    cwd: entry.cwd,
    agentSessionId: entry.agentSessionId,
    startTimeoutMs: config.startTimeoutMs,
    mockProvider: config.mockProvider,
    sink: sinkOf(runtime, execution, (exit) => void lose(runtime, execution, exit)),
    signal: execution.leaving.signal,
    endBy: () => runtime.endBy,
  });
  execution.connection = connection;
  if (execution.exit !== null) throw new Error(deathOf(runtime, entry, execution.exit));
  // Torn down while it started: whoever ended it waits for `close`.
  if (execution.facts !== null) return connection;
  entry.agentSessionId = connection.agentSessionId;
  runtime.records.executionOpened(execution, connection);
  applyTraits(runtime, execution, connection.traits);
  return connection;
}

/**
 * Leaves the scope: ended in the record first, then everything that hung on it. Once; later calls report the facts of
 * the first (S110). The process is ended by `close`.
 */
export function endExecution(
  runtime: Runtime,
  execution: Execution,
  how: { cause: EndCause; error: string | null },
): EndFacts {
  if (execution.facts !== null) return execution.facts;
  const { deps, board } = runtime;
  const { entry } = execution;
  const at = deps.now();
  const facts: EndFacts = { ...how, endedAt: new Date(at).toISOString() };
  execution.facts = facts;
  execution.leaving.abort();
  entry.queue.heldBack = false;
  // Before the end is told: no reading of an ended execution shows what it asked (S110).
  closeRequests(runtime, entry, (request) => request.executionId === execution.id);
  board.tracker.apply({ type: 'execution.ended', sessionId: entry.id, at, executionId: execution.id, ...how });
  closeOpenTools(execution, how.cause === 'crashed' ? 'failed' : 'cancelled', at);
  void forgetOnceGone(runtime, execution);
  return facts;
}

async function forgetOnceGone(runtime: Runtime, execution: Execution): Promise<void> {
  try {
    await closeExecution(runtime, execution);
  } catch (error) {
    runtime.deps.log.error(
      { err: error, executionId: execution.id },
      'could not end an agent process; it is kept for another try',
    );
  }
}

/**
 * Ends the process; what has ended and is gone is forgotten, also when it took another try (S111). Only now does its row
 * say so: what lives on when the server dies meanwhile is looked for by the next one (S141).
 */
export async function closeExecution(runtime: Runtime, execution: Execution): Promise<void> {
  await execution.close();
  const { facts } = execution;
  if (facts === null || !runtime.executions.delete(execution.id)) return;
  runtime.records.executionEnded(execution.id, facts);
  if (runtime.serving.get(execution.entry.id) === execution) runtime.serving.delete(execution.entry.id);
  rest(runtime, execution.entry).catch((error: unknown) => {
    runtime.deps.log.error({ err: error, sessionId: execution.entry.id }, 'could not free the memory of a session');
  });
}

/** The process is gone without being asked to: first unknown, then, once what it left is accounted for, failed. */
async function lose(runtime: Runtime, execution: Execution, exit: AgentExit): Promise<void> {
  const { deps, board } = runtime;
  const { entry } = execution;
  execution.exit = exit;
  // One that would not end when it was told to has gone by itself.
  if (execution.facts !== null) return forgetOnceGone(runtime, execution);
  // A launch that fails tells it by `opened`.
  if (execution.connection === null) return;
  board.tracker.apply({ type: 'execution.lost', sessionId: entry.id, at: deps.now(), executionId: execution.id });
  await execution.close().catch((error: unknown) => {
    deps.log.error({ err: error, executionId: execution.id }, 'could not end what a lost agent left behind');
  });
  if (execution.facts !== null) return;
  const error = deathOf(runtime, entry, exit);
  endExecution(runtime, execution, { cause: 'crashed', error });
  agentDied(entry, error);
}

function deathOf(runtime: Runtime, entry: SessionEntry, exit: AgentExit): string {
  const { launch } = runtime.deps.agents.launch(entry.agentId);
  const command = launch === null ? entry.agentId : [launch.command, ...launch.args].join(' ');
  const how = exit.signal === null ? `exit code ${exit.code ?? 'unknown'}` : `signal ${exit.signal}`;
  const why = exit.reason === null ? '' : `: ${exit.reason}`;
  const said =
    exit.stderr.trim() === '' ? 'It wrote nothing to stderr.' : `Last lines of stderr:\n${exit.stderr.trim()}`;
  return `The agent process (${command}) ended with ${how}${why}. The next prompt starts it again. ${said}`;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
