import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** One message that reached an agent, or that it is up. */
export interface Seen {
  readonly pid: number;
  readonly what: string;
  readonly text?: string;
}

/** What agents say that reached them, whatever the server believes. */
export class Witness {
  readonly log: string;

  constructor(log: string) {
    this.log = log;
  }

  read(): Seen[] {
    if (!existsSync(this.log)) return [];
    const lines = readFileSync(this.log, 'utf8').split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Seen);
  }

  /** How often each prompt was delivered, by its first line. */
  deliveries(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { what, text } of this.read()) {
      if (what !== 'session/prompt') continue;
      const name = (text ?? '').split('\n')[0] ?? '';
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return counts;
  }

  /** Resolves with the first that is as asked, of those written from now on or since `from` entries. */
  async until(is: (seen: Seen) => boolean, from = 0): Promise<Seen> {
    for (const end = performance.now() + 60_000; performance.now() < end; await pause(15)) {
      const found = this.read().slice(from).find(is);
      if (found !== undefined) return found;
    }
    throw new Error('expected an agent to get something within 60 s, it did not');
  }
}
