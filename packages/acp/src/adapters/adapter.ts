import type { Fact, Generation, Traits } from '@vigil/liveness';
import type { JsonObject } from '../wire/json.ts';
import type { RpcAnswer } from '../wire/json-rpc-peer.ts';

/** One `session/update` of the root session or of a child session. */
export interface SessionUpdate {
  readonly sessionId: string;
  /** False for a child session. */
  readonly root: boolean;
  /** `sessionUpdate` on the wire. */
  readonly kind: string;
  readonly body: JsonObject;
}

/** A request of the agent for a person, reduced to what liveness needs. */
export interface Asking {
  readonly sessionId: string;
  readonly root: boolean;
  readonly toolCallId: string | undefined;
  readonly body: JsonObject;
}

/** Who asks, for the transcript of requests (S132). */
export interface Asker {
  readonly askedBy: string | null;
  readonly background: boolean;
}

/** How one item of work can be stopped by the client. */
export type StopTarget =
  | { readonly how: 'terminal'; readonly sessionId: string; readonly terminalId: string }
  | { readonly how: 'tool'; readonly sessionId: string; readonly toolCallId: string }
  | { readonly how: 'session'; readonly sessionId: string };

/** What was agreed when the connection was opened. */
export interface Agreement {
  readonly protocolVersion: 1 | 2;
  /** The agent's answer to `initialize`. */
  readonly answer: JsonObject;
}

/** Reads one provider's frames into facts. Synchronous; keeps only what it needs to name things. */
export interface Adapter {
  /** May gain levels once the agent is seen to speak them; another object exactly when something of it changed. */
  readonly traits: Traits;
  update(update: SessionUpdate): readonly Fact[];
  /** Any notification but `session/update`. */
  notified(method: string, params: JsonObject): readonly Fact[];
  /** A frame of history: it attests nothing, but its ids are known from now on (S46). */
  replayed(update: SessionUpdate): void;
  /** The prompt's request is about to be written. */
  written(generation: Generation): void;
  /** The prompt's request was answered. */
  answered(generation: Generation, answer: RpcAnswer): readonly Fact[];
  asked(asking: Asking): readonly Fact[];
  /** A request of a person was answered; `allowed` when the work it was about may go on. */
  decided(asking: Asking, allowed: boolean): readonly Fact[];
  asker(asking: Asking): Asker;
  stopTarget(workloadId: string): StopTarget | null;
}

/** What a surface is taken for, as one object until something of it changes: it is looked at with every frame. */
export class CurrentTraits {
  #traits: Traits;

  constructor(traits: Traits) {
    this.#traits = traits;
  }

  /** The traits with what is known now; values that are lists must be constants. */
  with({ levels, cancelKills }: Pick<Traits, 'levels' | 'cancelKills'>): Traits {
    const known = this.#traits;
    if (known.levels !== levels || known.cancelKills !== cancelKills) this.#traits = { ...known, levels, cancelKills };
    return this.#traits;
  }
}

/** Keeps the newest values only, so that a long session does not grow without bound. */
export class BoundedSet {
  readonly #limit: number;
  readonly #values = new Set<string>();

  constructor(limit = 20_000) {
    this.#limit = limit;
  }

  has(value: string): boolean {
    return this.#values.has(value);
  }

  /** True when the value is new. */
  add(value: string): boolean {
    if (this.#values.has(value)) return false;
    this.#values.add(value);
    if (this.#values.size > this.#limit) dropOldest(this.#values);
    return true;
  }
}

/** Like `BoundedSet`, with a value for each key. */
export class BoundedMap<Value> {
  readonly #limit: number;
  readonly #values = new Map<string, Value>();

  constructor(limit = 20_000) {
    this.#limit = limit;
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  set(key: string, value: Value): void {
    this.#values.set(key, value);
    if (this.#values.size > this.#limit) dropOldest(this.#values);
  }
}

function dropOldest(values: Set<string> | Map<string, unknown>): void {
  const { done, value } = values.keys().next();
  if (done !== true) values.delete(value);
}
