import { readdir, readFile } from 'node:fs/promises';

/** Agents and all that they start carry these in their environment, so that they are found after their parent died. */
export const TREE_MARK = 'AGENT_TREE_ID';
/** The execution that an agent serves. */
export const EXECUTION_MARK = 'VIGIL_EXECUTION_ID';

const TICKS_PER_S = 100;
/** A process that has just begun may still have the environment of whoever started it. */
const SETTLED_AFTER_TICKS = 2 * TICKS_PER_S;

/** What a process says it belongs to; null where it says nothing, or does not let itself be read. */
interface Marks {
  readonly tree: string | null;
  readonly execution: string | null;
}

/** One live process. Its pid is given again some day, together with the start time it is not. */
export interface SeenProcess extends Marks {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Clock ticks since boot. */
  readonly startTime: string;
}

type Bare = Omit<SeenProcess, keyof Marks>;

/**
 * The processes of this machine (Linux; elsewhere none). Whoever asks gets a reading that began after the question; those
 * who ask while one is made share the next, and an environment is read once for each process.
 */
export class ProcessTable {
  readonly #marks = new Map<number, { readonly startTime: string; readonly marks: Marks }>();
  #reading: Promise<readonly SeenProcess[]> | null = null;
  #next: Promise<readonly SeenProcess[]> | null = null;
  /** Readings made, for tests. */
  readings = 0;

  read(): Promise<readonly SeenProcess[]> {
    if (this.#reading === null) return this.#begin();
    this.#next ??= this.#reading.then(() => {
      this.#next = null;
      return this.#begin();
    });
    return this.#next;
  }

  #begin(): Promise<readonly SeenProcess[]> {
    this.#reading = this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #read(): Promise<readonly SeenProcess[]> {
    this.readings += 1;
    const names = await readdir('/proc').catch(() => []);
    const now = await ticksSinceBoot();
    const bare = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map((name) => see(Number(name))));
    const live = bare.filter((one) => one !== null);
    const seen = await Promise.all(live.map(async (one) => ({ ...one, ...(await this.#marksOf(one, now)) })));
    const pids = new Set(live.map((one) => one.pid));
    for (const pid of this.#marks.keys()) if (!pids.has(pid)) this.#marks.delete(pid);
    return seen;
  }

  async #marksOf({ pid, startTime }: Bare, now: number): Promise<Marks> {
    const known = this.#marks.get(pid);
    if (known?.startTime === startTime) return known.marks;
    const marks = await readMarks(pid);
    const isSettled = now - Number(startTime) > SETTLED_AFTER_TICKS;
    if (isSettled || marks.tree !== null) this.#marks.set(pid, { startTime, marks });
    return marks;
  }
}

/** The one reading that all trees of this process share. */
export const processTable = new ProcessTable();

/** Null when it is gone, or only its zombie is left. */
export async function see(pid: number): Promise<Bare | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The command may hold spaces and parentheses: count the fields from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, parent, group] = fields;
    if (state === 'Z' || state === 'X') return null;
    return { pid, parent: Number(parent), group: Number(group), startTime: fields[19] ?? '' };
  } catch {
    return null;
  }
}

async function readMarks(pid: number): Promise<Marks> {
  const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
  return { tree: markIn(environment, TREE_MARK), execution: markIn(environment, EXECUTION_MARK) };
}

function markIn(environment: string, name: string): string | null {
  const at = `\0${environment}`.indexOf(`\0${name}=`);
  if (at < 0) return null;
  const from = at + name.length + 1;
  const end = environment.indexOf('\0', from);
  return environment.slice(from, end < 0 ? undefined : end);
}

async function ticksSinceBoot(): Promise<number> {
  const uptime = await readFile('/proc/uptime', 'utf8').catch(() => '0');
  return Number.parseFloat(uptime) * TICKS_PER_S;
}
