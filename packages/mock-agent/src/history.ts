import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fields } from './json.ts';
import { isFields, pickString } from './json.ts';

/** One line of a transcript. */
export type HistoryEntry =
  | { readonly kind: 'user' | 'message' | 'thought'; readonly text: string; readonly messageId: string }
  | {
      readonly kind: 'call';
      readonly id: string;
      readonly title: string;
      readonly tool: string;
      readonly toolKind: string;
      readonly input: Fields;
      readonly status: 'completed' | 'failed';
      readonly output: string;
    };

/** Most entries kept of one session; the oldest go first. */
const ENTRIES = 2000;
/** Most sessions remembered in memory after they were closed. */
const SESSIONS = 200;
const SESSION_ID = /^[A-Za-z0-9-]{8,64}$/;

interface Remembered {
  readonly cwd: string;
  readonly entries: HistoryEntry[];
}

/** Transcripts by session: in memory, and in a folder when one is given, so that another process can load them. */
export class HistoryStore {
  readonly #folder: string | undefined;
  readonly #sessions = new Map<string, Remembered>();

  constructor(folder: string | undefined) {
    this.#folder = folder;
    if (folder !== undefined) mkdirSync(folder, { recursive: true });
  }

  /** Begins a transcript. */
  create(sessionId: string, cwd: string): void {
    this.#remember(sessionId, { cwd, entries: [] });
    this.#append(sessionId, { session: sessionId, cwd });
  }

  /** Adds a line to a transcript. */
  add(sessionId: string, entry: HistoryEntry): void {
    const entries = this.find(sessionId)?.entries;
    if (entries === undefined) return;
    entries.push(entry);
    if (entries.length > ENTRIES) entries.splice(0, entries.length - ENTRIES);
    this.#append(sessionId, entry);
  }

  /** The transcript of a session, or `undefined` when nobody knows it. */
  find(sessionId: string): Remembered | undefined {
    return this.#sessions.get(sessionId) ?? this.#read(sessionId);
  }

  /** Every session that can be loaded. */
  list(): readonly { readonly sessionId: string; readonly cwd: string }[] {
    const ids = new Set(this.#sessions.keys());
    for (const file of this.#folder === undefined ? [] : readdirSync(this.#folder)) {
      if (file.endsWith('.ndjson')) ids.add(file.slice(0, -'.ndjson'.length));
    }
    return [...ids].flatMap((sessionId) => {
      const found = this.find(sessionId);
      return found === undefined ? [] : [{ sessionId, cwd: found.cwd }];
    });
  }

  #remember(sessionId: string, remembered: Remembered): Remembered {
    this.#sessions.set(sessionId, remembered);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
    return remembered;
  }

  #path(sessionId: string): string | undefined {
    return this.#folder === undefined ? undefined : join(this.#folder, `${sessionId}.ndjson`);
  }

  #append(sessionId: string, line: object): void {
    const path = this.#path(sessionId);
    if (path !== undefined) appendFileSync(path, `${JSON.stringify(line)}\n`);
  }

  #read(sessionId: string): Remembered | undefined {
    // The id comes from the client and becomes a file name.
    const path = SESSION_ID.test(sessionId) ? this.#path(sessionId) : undefined;
    if (path === undefined || !existsSync(path)) return undefined;
    const lines = readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
    const [head, ...rest] = lines.map((line): unknown => JSON.parse(line));
    const entries = rest.filter(isFields).map((entry) => entry as unknown as HistoryEntry);
    return this.#remember(sessionId, { cwd: pickString(head, 'cwd') ?? '', entries: entries.slice(-ENTRIES) });
  }
}
