import { setTimeout as pause } from 'node:timers/promises';
import { AgentError } from '../errors.ts';
import { processTable, type SeenProcess, see } from './process-table.ts';

/** How long each way of ending is waited for, in ms. */
export interface Patience {
  readonly close: number;
  readonly term: number;
  readonly kill: number;
}

/** In this order; `share` is that of the time which is left when it begins. */
const WAYS = [
  { way: 'close', signal: null, share: 0.25 },
  { way: 'term', signal: 'SIGTERM', share: 0.33 },
  { way: 'kill', signal: 'SIGKILL', share: 1 },
] as const;

/** Start time of a live process in clock ticks since boot (Linux), or null. */
export async function startTimeOf(pid: number): Promise<string | null> {
  return (await see(pid))?.startTime ?? null;
}

/**
 * Ends an agent that an earlier server left behind, with its descendants. False when no process of this pid and start
 * time lives any more; a reused pid is never touched.
 */
export async function endLeftover(agent: { readonly pid: number; readonly startTime: string }): Promise<boolean> {
  const found = (await processTable.read()).find((one) => one.pid === agent.pid && one.startTime === agent.startTime);
  if (found === undefined) return false;
  const mark = found.tree ?? '';
  await new ProcessTree({ ...agent, mark }).end({ close: 0, term: 2_000, kill: 5_000 });
  return true;
}

/** One process and all that it started, whatever became of its parentage. */
export class ProcessTree {
  readonly #root: number;
  readonly #rootStart: string;
  readonly #mark: string;
  /** Members seen so far: pid to start time, so that a reused pid is never hit. */
  readonly #members = new Map<number, string>();

  constructor(root: { readonly pid: number; readonly startTime: string; readonly mark: string }) {
    this.#root = root.pid;
    this.#rootStart = root.startTime;
    this.#mark = root.mark;
    this.#members.set(root.pid, root.startTime);
  }

  /** Members that live now. */
  async alive(): Promise<readonly number[]> {
    const all = await processTable.read();
    const byPid = new Map(all.map((seen) => [seen.pid, seen]));
    for (const [pid, startTime] of this.#members)
      if (byPid.get(pid)?.startTime !== startTime) this.#members.delete(pid);
    for (let grown = true; grown; ) {
      grown = false;
      for (const seen of all) {
        if (this.#members.has(seen.pid) || !this.#belongs(seen)) continue;
        this.#members.set(seen.pid, seen.startTime);
        grown = true;
      }
    }
    return [...this.#members.keys()];
  }

  /**
   * Waits, then asks, then kills. Resolves when none is left; throws when some live on beyond the last deadline. Where
   * `endBy` leaves less time than patience, each way has its share of that; it may come nearer meanwhile.
   */
  async end(patience: Patience, endBy: () => number = () => Number.POSITIVE_INFINITY): Promise<void> {
    for (const { way, signal, share } of WAYS) {
      const since = performance.now();
      const until = () => since + Math.max(0, Math.min(patience[way], (endBy() - since) * share));
      if (await this.#gone(until, signal)) return;
    }
    const left = [...this.#members.keys()].join(', ');
    throw new AgentError('stop_failed', `the agent's processes (pid ${left}) did not end, even when killed`);
  }

  async #gone(until: () => number, signal: NodeJS.Signals | null): Promise<boolean> {
    const told = new Set<number>();
    for (let step = 10; ; step = Math.min(step * 2, 100)) {
      const members = await this.alive();
      if (members.length === 0) return true;
      for (const pid of members) if (signal !== null && !told.has(pid) && strike(pid, signal)) told.add(pid);
      if (performance.now() >= until()) return false;
      await pause(step);
    }
  }

  #belongs(seen: SeenProcess): boolean {
    if (this.#members.has(seen.parent)) return true;
    // A number of a process group may be used again once its leader is gone: only a living leader vouches for it.
    if (seen.group === this.#root && this.#members.has(this.#root)) return true;
    if (this.#mark === '' || Number(seen.startTime) < Number(this.#rootStart)) return false;
    return seen.tree === this.#mark;
  }
}

function strike(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}
