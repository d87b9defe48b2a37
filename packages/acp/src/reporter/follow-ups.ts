import { BoundedMap } from '../adapters/adapter.ts';

/** One process as its source knows it. */
export interface ProcessEntry {
  readonly id: string;
  readonly title?: string;
  /** Present once it ended; the exit code is null when a signal ended it. */
  readonly ended?: { readonly exitCode: number | null };
  /** A wake that reports its end is to come. Never taken back by its absence (S125). */
  readonly followUp?: boolean;
}

/** One process as it is sent. */
export interface ReportedProcess {
  readonly id: string;
  readonly title?: string;
  readonly status: 'running' | 'completed' | 'failed';
  readonly exitCode?: number;
}

interface Item {
  readonly id: string;
  title: string | undefined;
  status: ReportedProcess['status'];
  exitCode: number | null;
  /** It was sent in its terminal status. */
  sent: boolean;
  /** A wake for its end is to come. */
  awaits: boolean;
  /** The turn at work that is a wake for it. */
  wake: string | null;
  /** That wake reports its end, not an event of a process that runs on. */
  wakeIsOfEnd: boolean;
  /** The wake that reported its end has settled. */
  reported: boolean;
}

/** Which processes are listed, and until when: an end stays listed while its wake is to come or at work (S125). */
export class FollowUps {
  readonly #items = new Map<string, Item>();
  /** What left: `reported` by a wake that settled, for good; else it may come back with a follow-up. */
  readonly #gone = new BoundedMap<{ readonly reported: boolean }>();
  /** The names that each turn at work began with. */
  readonly #wakes = new Map<string, ReadonlySet<string>>();

  /** Takes in what the source knows now. What it knows no more has ended, or is kept until its wake settles. */
  read(entries: readonly ProcessEntry[]): void {
    const listed = new Map(entries.map((entry) => [entry.id, entry]));
    for (const item of this.#items.values()) if (!listed.has(item.id) && item.status === 'running') end(item, null);
    for (const entry of listed.values()) this.#entry(entry);
    this.#sweep();
  }

  /** A turn began whose start names these items. `known`: the source could be read at this moment. */
  began(turn: string, names: readonly string[], known: boolean): void {
    this.#wakes.set(turn, new Set(names));
    for (const name of names) {
      const item = this.#items.get(name);
      if (item) claim(item, turn, item.status !== 'running' || !known);
    }
  }

  /** The turn has settled: what it reported leaves, as soon as it was sent as ended. */
  settled(turn: string): void {
    this.#wakes.delete(turn);
    for (const item of this.#items.values()) {
      if (item.wake !== turn) continue;
      item.wake = null;
      item.reported ||= item.wakeIsOfEnd || (item.status !== 'running' && !item.awaits);
    }
    this.#sweep();
  }

  /** The wake of this item was given up: it never comes. */
  dropped(id: string): void {
    const item = this.#items.get(id);
    if (item) item.awaits = false;
    this.#sweep();
  }

  list(): readonly ReportedProcess[] {
    return [...this.#items.values()].map(({ id, title, status, exitCode }) => ({
      id,
      ...(title !== undefined && { title }),
      status,
      ...(exitCode !== null && { exitCode }),
    }));
  }

  /** This list reached the editor. True when an end on it has nothing left to wait for: it leaves with the next send. */
  sent(list: readonly ReportedProcess[]): boolean {
    let leaves = false;
    for (const { id, status } of list) {
      const item = this.#items.get(id);
      if (!item || status === 'running' || item.sent || item.status === 'running') continue;
      item.sent = true;
      leaves ||= isOver(item);
    }
    return leaves;
  }

  #entry(entry: ProcessEntry): void {
    const item = this.#items.get(entry.id) ?? this.#added(entry);
    if (!item) return;
    item.title = entry.title ?? item.title;
    if (entry.ended && item.status === 'running') end(item, entry.ended.exitCode);
    const isNews = item.wake === null || !item.wakeIsOfEnd;
    if (entry.followUp === true && !item.reported && isNews) item.awaits = true;
  }

  #added(entry: ProcessEntry): Item | null {
    const gone = this.#gone.get(entry.id);
    const isAnew = entry.ended === undefined || (gone?.reported === false && entry.followUp === true);
    if (gone && !isAnew) return null;
    const item: Item = {
      id: entry.id,
      title: entry.title,
      status: 'running',
      exitCode: null,
      sent: false,
      awaits: false,
      wake: null,
      wakeIsOfEnd: false,
      reported: false,
    };
    for (const [turn, names] of this.#wakes) if (names.has(entry.id)) claim(item, turn, entry.ended !== undefined);
    this.#items.set(entry.id, item);
    return item;
  }

  #sweep(): void {
    for (const item of this.#items.values()) {
      if (!item.sent || !isOver(item)) continue;
      this.#items.delete(item.id);
      this.#gone.set(item.id, { reported: item.reported });
    }
  }
}

function claim(item: Item, turn: string, isOfEnd: boolean): void {
  item.wake = turn;
  item.wakeIsOfEnd = isOfEnd;
  if (isOfEnd) item.awaits = false;
}

/** An end whose exit code nobody knows is not a success. */
function end(item: Item, exitCode: number | null): void {
  item.status = exitCode === 0 ? 'completed' : 'failed';
  item.exitCode = exitCode;
}

function isOver(item: Item): boolean {
  return item.status !== 'running' && !item.awaits && item.wake === null;
}
