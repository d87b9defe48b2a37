import { randomUUID } from 'node:crypto';
import type { PromptOrigin, RefusalReason } from '@vigil/liveness';
import type { SessionEntry } from './entries.ts';
import type { Execution } from './execution.ts';
import { beginExecution } from './execution-scope.ts';
import type { Runtime } from './runtime.ts';

/** The foreground, owned by one prompt until it is accepted or given back (S50). */
export interface Claimed {
  readonly generation: number;
  readonly execution: Execution;
}

export type Claiming =
  | { readonly granted: true; readonly claimed: Claimed; readonly starts: boolean }
  | { readonly granted: false; readonly reason: RefusalReason | 'agent_unavailable'; readonly message: string | null };

const STARTS: ReadonlySet<string> = new Set(['created', 'idle', 'completed', 'failed']);

/**
 * Takes the foreground for one prompt, in one step with the check; where no agent is alive its execution begins in the
 * same step. Must be called before the first `await` of whatever it decides.
 */
export function claim(runtime: Runtime, entry: SessionEntry, origin: PromptOrigin): Claiming {
  const { deps, board } = runtime;
  if (entry.leaving || runtime.closing) return { granted: false, reason: 'stopping', message: null };
  if (STARTS.has(entry.shown.state)) {
    const answer = deps.agents.launch(entry.agentId);
    if (answer.launch === null) return { granted: false, reason: 'agent_unavailable', message: answer.reason };
  }
  const result = board.tracker.claim({
    type: 'prompt.claimed',
    sessionId: entry.id,
    at: deps.now(),
    origin,
    executionId: randomUUID(),
  });
  if (!result.granted) return { ...result, message: null };
  const execution = result.starts
    ? beginExecution(runtime, entry, result.executionId)
    : (runtime.serving.get(entry.id) ?? null);
  if (execution === null)
    throw new Error(`session ${entry.id} has no execution although its state is ${entry.shown.state}`);
  return { granted: true, starts: result.starts, claimed: { generation: result.generation, execution } };
}

/** Gives the claim back before anything was sent; nothing when it is not ours any more (S53, S55). */
export function giveBack(runtime: Runtime, entry: SessionEntry, generation: number): void {
  const { tracker } = runtime.board;
  tracker.apply({ type: 'prompt.released', sessionId: entry.id, at: runtime.deps.now(), generation });
}
