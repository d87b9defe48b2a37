import { readFile } from 'node:fs/promises';
import { startTimeOf } from './process-tree.ts';

/** How often it is looked at, in ms: one short file while it is known. */
const EVERY_MS = 1_000;
/** A search walks all processes of the system, so it is given up at some time. */
const SEARCHES = 30;

export interface InnerProcess {
  /** Processes of the agent's tree that live now. */
  readonly members: () => Promise<readonly number[]>;
  /** Tells it by its command line. */
  readonly isIt: (argv: readonly string[]) => boolean;
  /** It lived, and is no more, and no other took its place. Called once. */
  readonly gone: () => void;
  /** It was seen for the first time; from now on it would be missed. */
  readonly found?: () => void;
  readonly everyMs?: number;
}

interface Seen {
  readonly pid: number;
  readonly startTime: string;
}

/**
 * Watches the process that does the work behind a bridge. When it dies while idle nothing is said on the wire: only the
 * table of processes tells (S9). One that was never seen is not missed.
 */
export class InnerProcessWatch {
  readonly #options: InnerProcess;
  #seen: Seen | null = null;
  #searches = 0;
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;

  constructor(options: InnerProcess) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setTimeout(() => void this.#look(), this.#options.everyMs ?? EVERY_MS).unref();
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    const known = this.#seen;
    const lives = known !== null && (await startTimeOf(known.pid)) === known.startTime;
    if (!lives) this.#seen = await this.#search();
    if (this.#stopped) return;
    if (known === null && this.#seen !== null) this.#options.found?.();
    if (known !== null && this.#seen === null) {
      this.stop();
      this.#options.gone();
    } else if (this.#seen !== null || this.#searches < SEARCHES) this.start();
  }

  /** The oldest of those that look like it: what the agent starts later may look the same. */
  async #search(): Promise<Seen | null> {
    this.#searches += 1;
    const found = await Promise.all((await this.#options.members()).map((pid) => this.#ifIt(pid)));
    const alike = found.filter((one) => one !== null);
    return alike.sort((a, b) => Number(a.startTime) - Number(b.startTime))[0] ?? null;
  }

  async #ifIt(pid: number): Promise<Seen | null> {
    const [argv, startTime] = await Promise.all([argvOf(pid), startTimeOf(pid)]);
    return startTime !== null && this.#options.isIt(argv) ? { pid, startTime } : null;
  }
}

/** Claude's own process, as its SDK starts it. */
export function isClaude(argv: readonly string[]): boolean {
  const at = argv.indexOf('--input-format');
  return at >= 0 && argv[at + 1] === 'stream-json';
}

async function argvOf(pid: number): Promise<readonly string[]> {
  return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
}
