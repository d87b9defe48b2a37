import type { RosterItem } from '@vigil/liveness/attestation';
import { textAt } from '../wire/json.ts';

const OVER = new Set(['completed', 'failed']);
const ITEMS_KEPT = 2_000;

interface Run {
  readonly number: number;
  readonly over: boolean;
}

/** Items that carry their own status: one that runs again after its end is another run of the same work (S33). */
export class ProcessItems {
  readonly #runs = new Map<string, Run>();

  /** Null for an item without an id. */
  read(item: unknown): RosterItem | null {
    const id = processId(item);
    if (id === undefined) return null;
    const over = OVER.has(textAt(item, 'status') ?? '');
    const known = this.#runs.get(id) ?? { number: 1, over: false };
    const number = known.over && !over ? known.number + 1 : known.number;
    this.#keep(id, { number, over });
    const label = textAt(item, 'title') ?? textAt(item, 'command');
    return {
      names: [nameOf(id, number)],
      kind: 'shell',
      status: over ? 'ended' : 'running',
      ...(label !== undefined && { label }),
    };
  }

  /** A whole list was read: what was over and is not on it any more is another run when it comes back. */
  listed(items: readonly RosterItem[]): void {
    const names = new Set(items.map((item) => item.names[0]));
    for (const [id, run] of this.#runs)
      if (run.over && !names.has(nameOf(id, run.number))) this.#runs.set(id, { number: run.number + 1, over: false });
  }

  #keep(id: string, run: Run): void {
    this.#runs.set(id, run);
    const oldest = this.#runs.size > ITEMS_KEPT ? this.#runs.keys().next().value : undefined;
    if (oldest !== undefined) this.#runs.delete(oldest);
  }
}

function nameOf(id: string, run: number): string {
  return run === 1 ? `process:${id}` : `process:${id}#${run}`;
}

/** The id of an item, under any of the names that agents give it. */
export function processId(item: unknown): string | undefined {
  return textAt(item, 'id') ?? textAt(item, 'processId') ?? textAt(item, 'terminalId');
}
