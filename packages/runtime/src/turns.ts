import type { SessionEntry } from './entries.ts';
import { finishTurn } from './notices.ts';
import type { Runtime } from './runtime.ts';
import { closeToolsOfTurn } from './transcribe.ts';
import type { Session } from './types.ts';

/** Keeps the open turn: begins one that nobody prompted, and writes the end of each into the transcript. */
export function followTurn(runtime: Runtime, entry: SessionEntry, after: Session): void {
  const { generation } = after;
  if (entry.turn !== null && generation !== entry.turn.generation) {
    // A claim over a yielded turn leaves it open until the successor is written (S64).
    if (generation === null || !claims(runtime, entry, generation)) endTurn(runtime, entry, after.stopReason);
  }
  if (entry.turn !== null || generation === null || after.state !== 'running') return;
  if (claims(runtime, entry, generation) || runtime.serving.get(entry.id)?.dispatched === generation) return;
  entry.turn = { generation, startedAt: runtime.deps.now(), origin: 'agent' };
}

function endTurn(runtime: Runtime, entry: SessionEntry, stopReason: string | null): void {
  const execution = runtime.serving.get(entry.id);
  const status = stopReason === 'cancelled' ? 'cancelled' : 'unknown';
  const generation = entry.turn?.generation;
  finishTurn(runtime, entry, stopReason);
  if (execution === undefined || generation === undefined) return;
  closeToolsOfTurn(execution, { generation, status, now: runtime.deps.now() });
}

const claims = (runtime: Runtime, entry: SessionEntry, generation: number): boolean =>
  runtime.board.tracker.isCurrent(entry.id, generation) && runtime.serving.get(entry.id)?.dispatched !== generation;
