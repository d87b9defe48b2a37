import type { JsonObject } from '../wire/json.ts';
import { FollowUps, type ProcessEntry, type ReportedProcess } from './follow-ups.ts';
import { wantsStateUpdates } from './opt-in.ts';
import { endOf, type TurnEnd, type TurnOutcome } from './outcome.ts';

const METHOD = '_hermes-agent/state_update';
const TIMEOUT_MS = 5_000;

/** A turn as it was admitted. */
export interface Admission {
  /** Names the run on the wire. */
  readonly id: string;
  /** Ids of the processes whose end, or whose events, this turn is a wake for. */
  readonly wakeFor?: readonly string[];
  /** What began it, when that was no prompt of the editor; `wake` where it names processes. */
  readonly origin?: string;
}

export interface ReporterLog {
  readonly message: string;
  readonly cause: unknown;
}

export interface ReporterOptions {
  readonly sessionId: string;
  /** The params of the editor's `initialize`: whether it opted in. */
  readonly initialize: unknown;
  /** What was agreed: v2 has `state_update` of its own. */
  readonly protocolVersion: 1 | 2;
  /** The processes of the session now. Called anew for every send; may fail (S126). */
  readonly readRoster: () => readonly ProcessEntry[] | Promise<readonly ProcessEntry[]>;
  /** Sends one notification to the editor; may fail (S126). */
  readonly send: (method: string, params: JsonObject) => unknown;
  readonly log: (entry: ReporterLog) => void;
  /** A read or a send that takes longer has failed; 5 s where it is left out. */
  readonly timeoutMs?: number;
}

/**
 * Tells an editor what runs in one session: `running` and `idle` of the foreground, with the background processes on
 * each (S124–S127). For an ACP agent, or a proxy before one. Says nothing to an editor that did not opt in. Each call
 * resolves when its update was sent, or given up, and never rejects; updates go out in the order of the calls.
 */
export class StateReporter {
  readonly #options: ReporterOptions;
  readonly #speaks: boolean;
  readonly #book = new FollowUps();
  readonly #turns = new Map<string, Admission>();
  #tail: Promise<void> = Promise.resolve();

  constructor(options: ReporterOptions) {
    this.#options = options;
    this.#speaks = options.protocolVersion === 2 || wantsStateUpdates(options.initialize);
  }

  /** A turn begins. */
  admitted(turn: Admission): Promise<void> {
    return this.#queue(async () => {
      const known = await this.#read();
      this.#begin(turn, known);
      await this.#send(this.#present(), known);
    });
  }

  /** A turn that was admitted has ended. */
  settled(turnId: string, outcome: TurnOutcome): Promise<void> {
    return this.#queue(async () => {
      const known = await this.#read();
      const turn = this.#turns.get(turnId);
      this.#end(turnId);
      // The protocol's own `idle` names no run: it would end the turn that is at work beside this one.
      const isCovered = this.#options.protocolVersion === 2 && this.#turns.size > 0;
      await this.#send(turn && !isCovered ? idle(turn, endOf(outcome)) : this.#present(), known);
    });
  }

  /** A process began or ended: tells the roster beside the present state. */
  changed(): Promise<void> {
    return this.#queue(() => this.#snapshot());
  }

  /** The wake that was to report the end of this process will never come. */
  followUpDropped(processId: string): Promise<void> {
    return this.#queue(async () => {
      this.#book.dropped(processId);
      await this.#snapshot();
    });
  }

  /**
   * The session is adopted, or attached to again, also after a gap in its replay: a snapshot of the present. `turn` is
   * the one in flight; any other that was known has ended meanwhile.
   */
  adopted(turn: Admission | null): Promise<void> {
    return this.#queue(async () => {
      const known = await this.#read();
      for (const id of [...this.#turns.keys()]) if (id !== turn?.id) this.#end(id);
      if (turn && !this.#turns.has(turn.id)) this.#begin(turn, known);
      await this.#send(this.#present(), known);
    });
  }

  #begin(turn: Admission, known: boolean): void {
    this.#turns.set(turn.id, turn);
    this.#book.began(turn.id, turn.wakeFor ?? [], known);
  }

  #end(turnId: string): void {
    if (this.#turns.delete(turnId)) this.#book.settled(turnId);
  }

  /** One after another: a state never overtakes another, and none is told with the roster of a later moment. */
  #queue(step: () => Promise<void>): Promise<void> {
    if (!this.#speaks) return Promise.resolve();
    this.#tail = this.#tail.then(step).catch((cause: unknown) => this.#failed('expected to report, it failed', cause));
    return this.#tail;
  }

  async #snapshot(): Promise<void> {
    const known = await this.#read();
    await this.#send(this.#present(), known);
  }

  /** False when the source could not be read: then nothing is said of the background. */
  async #read(): Promise<boolean> {
    try {
      this.#book.read(await this.#within(async () => this.#options.readRoster()));
      return true;
    } catch (cause) {
      this.#failed('the roster could not be read, the update goes without it', cause);
      return false;
    }
  }

  async #send(state: JsonObject, known: boolean): Promise<void> {
    const list = this.#book.list();
    const { _meta, ...rest } = state;
    const update = { ...rest, ...(known && { background: list.map((item) => this.#item(item)) }), ...meta(_meta) };
    try {
      await this.#within(async () => this.#options.send(...this.#framed(update)));
    } catch (cause) {
      this.#failed('a state update could not be sent', cause);
      return;
    }
    // An end that waits for nothing must not stay listed until the next turn: its leaving is told at once.
    if (known && this.#book.sent(list) && this.#turns.size === 0) void this.changed();
  }

  #framed(update: JsonObject): [string, JsonObject] {
    const { sessionId, protocolVersion } = this.#options;
    if (protocolVersion === 1) return [METHOD, { sessionId, ...update }];
    return ['session/update', { sessionId, update: { sessionUpdate: 'state_update', ...update } }];
  }

  /** ACP v2 leaves plain names to the protocol, and those with an underscore to its extensions. */
  #item(item: ReportedProcess): JsonObject {
    return { type: this.#options.protocolVersion === 2 ? '_process' : 'process', ...item };
  }

  #present(): JsonObject {
    const turn = [...this.#turns.values()].at(-1);
    return turn ? { state: 'running', _meta: namesOf(turn) } : { state: 'idle' };
  }

  async #within<Value>(work: () => Promise<Value>): Promise<Value> {
    const { timeoutMs = TIMEOUT_MS } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`it took longer than ${timeoutMs} ms`)), timeoutMs);
    });
    try {
      return await Promise.race([work(), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #failed(message: string, cause: unknown): void {
    const { log, sessionId } = this.#options;
    try {
      log({ message: `${message} (session ${sessionId})`, cause });
    } catch {
      // A log that fails must not stop the updates either.
    }
  }
}

function idle(turn: Admission, { stopReason, cause }: TurnEnd): JsonObject {
  return { state: 'idle', stopReason, _meta: { ...namesOf(turn), ...(cause !== undefined && { cause }) } };
}

/** The run, and what began it where that was no prompt: an editor must not take it for its own. */
function namesOf({ id, origin, wakeFor = [] }: Admission): JsonObject {
  const named = origin ?? (wakeFor.length > 0 ? 'wake' : undefined);
  return { runId: id, ...(named !== undefined && { origin: named }) };
}

function meta(value: unknown): JsonObject {
  return value === undefined ? {} : { _meta: value };
}
